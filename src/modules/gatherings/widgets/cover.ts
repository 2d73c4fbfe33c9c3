import { publicPath, keyOf as uploadKeyOf } from '@/modules/people/uploads/key'
import { type Html, html } from '@/web/html'

/** Serves only our own images: a foreign host would learn who reads the embedding page. */
export function coverOf(id: string, photoUrl: string | null, sizes: string): Html {
  const key = photoUrl === null ? undefined : uploadKeyOf(photoUrl)
  if (!key) return html`<div class="cover hue${hashOf(id) % HUES}">${drawn(id)}</div>`
  const path = publicPath(key)
  const srcset = [320, 640, 1280].map((width) => `${path}?w=${width} ${width}w`).join(', ')
  return html`<div class="cover"><img src="${path}?w=640" srcset="${srcset}" sizes="${sizes}" alt="" loading="lazy" decoding="async"></div>`
}

const HUES = 6

const hashOf = (text: string) => Bun.hash.crc32(text)

/** Pseudorandom numbers seeded by the id. */
function numbersFor(id: string): (below: number) => number {
  let state = hashOf(`cover ${id}`)
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

/** A placeholder pattern for events without an image. */
const drawn = (id: string): Html =>
  html`<svg viewBox="0 0 320 180" preserveAspectRatio="xMidYMid slice" aria-hidden="true" fill="none" stroke="none">${patternOf(id)}</svg>`

/** In a viewBox of 320 by 180, in the current color. */
export function patternOf(id: string): Html {
  const next = numbersFor(id)
  const pattern = PATTERNS[next(PATTERNS.length)] as (typeof PATTERNS)[number]
  return html`${pattern(next)}`
}

type Next = (below: number) => number

const PATTERNS: ((next: Next) => Html | Html[])[] = [rings, tiles, hills, rays]

function rings(next: Next): Html[] {
  const [x, y] = [40 + next(240), next(2) * 180]
  return [200, 150, 105, 65, 30].map(
    (r) => html`<circle cx="${x}" cy="${y}" r="${r}" fill="currentColor" opacity="0.28"/>`,
  )
}

function tiles(next: Next): Html[] {
  const side = 60
  return Array.from({ length: 18 }, (_, i) => {
    const [x, y, turn] = [(i % 6) * side - 20, Math.floor(i / 6) * side, next(4) * 90]
    const opacity = [0.15, 0.35, 0.6][next(3)] as number
    return html`<path d="M0 0H60A60 60 0 0 1 0 60Z" transform="rotate(${turn} ${x + 30} ${y + 30}) translate(${x} ${y})" fill="currentColor" opacity="${opacity}"/>`
  })
}

function hills(next: Next): Html {
  const [sun, first, second] = [60 + next(200), 90 + next(30), 120 + next(25)]
  const rise = 20 + next(30)
  return html`<circle cx="${sun}" cy="${50 + next(20)}" r="${22 + next(10)}" fill="currentColor" opacity="0.75"/><path d="M0 ${first}C80 ${first - rise} 120 ${first + rise} 190 ${first}S290 ${first - rise} 320 ${first}V180H0Z" fill="currentColor" opacity="0.35"/><path d="M0 ${second + 15}C60 ${second - rise} 170 ${second + rise} 230 ${second}S300 ${second - 10} 320 ${second}V180H0Z" fill="currentColor" opacity="0.55"/>`
}

function rays(next: Next): Html {
  const [x, y, turn] = [60 + next(200), 60 + next(60), next(15)]
  const lines = Array.from({ length: 24 }, (_, i) => {
    const angle = ((i * 15 + turn) * Math.PI) / 180
    const at = (r: number) =>
      `${(x + r * Math.cos(angle)).toFixed(1)} ${(y + r * Math.sin(angle)).toFixed(1)}`
    return `M${at(58)}L${at(i % 2 === 0 ? 400 : 110)}`
  }).join('')
  return html`<circle cx="${x}" cy="${y}" r="36" fill="currentColor" opacity="0.8"/><path d="${lines}" stroke="currentColor" stroke-width="9" stroke-linecap="round" opacity="0.35"/>`
}
