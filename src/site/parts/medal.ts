import { emojiUrl } from '@/http/emoji'
import type { Rarity } from '@/modules/recognition/badges/schema'
import { type Html, html } from '@/web/html'
import { LOCALES } from '@/words/language'
import type { Words } from '@/words/words'

/** A number in the format of this language. */
export const written = (number: number, { language }: Words): string =>
  number.toLocaleString(LOCALES[language])

export const pointsIn = (points: number, words: Words): string =>
  words.recognition.points(points, written(points, words))

export const shareIn = ({ percentage }: Rarity, { language }: Words): string =>
  (percentage / 100).toLocaleString(LOCALES[language], { style: 'percent', maximumFractionDigits: 1 })

export const rarityMark = ({ tier }: Rarity, { recognition }: Words): Html =>
  html`<span class="mark rarity ${tier}">${recognition.rarity[tier]}</span>`

export type Face = { slug: string; icon: string; color: string | null }
type Size = 'small' | 'middle' | 'large'

const PIXELS: Record<Size, number> = { small: 20, middle: 36, large: 72 }

/** A medal in the badge's colour, drawn deterministically from its slug. Decorative: the name is beside it. */
export function medal({ slug, icon, color }: Face, size: Size = 'middle'): Html {
  const pixels = PIXELS[size]
  const url = emojiUrl(icon)
  // Drops the host, because the picture is ours on any of them.
  const path = url === null ? undefined : URL.parse(url)?.pathname
  return html`<span class="medal ${size}" aria-hidden="true"><svg viewBox="-50 -50 100 100" fill="${color ?? 'currentColor'}">${
    // Rows only have space for a disc.
    size === 'small'
      ? html`<circle r="48"/><circle r="38"/>`
      : html`<path d="${edgeOf(slug, size === 'large' ? 14 : 6)}"/><circle r="33"/>`
  }</svg>${
    path === undefined
      ? html`<span>${icon}</span>`
      : html`<img src="${path}" alt="" width="${pixels}" height="${pixels}" loading="lazy" decoding="async">`
  }</span>`
}

/** A wavy, petalled or pointed edge, by the slug. */
function edgeOf(slug: string, smoothness: number): string {
  const seed = Bun.hash.crc32(`medal ${slug}`)
  const [waves, kind] = [8 + (seed % 9), (seed >>> 8) % 3]
  const [inner, outer] = [[41, 48] as const, [38, 49] as const, [42, 49] as const][kind] as readonly [
    number,
    number,
  ]
  const steps = waves * (kind === 2 ? 2 : smoothness)
  const points = Array.from({ length: steps }, (_, i) => {
    const angle = (i / steps) * 2 * Math.PI
    const wave = (Math.cos(angle * waves) + 1) / 2
    const radius = inner + (outer - inner) * (kind === 1 ? Math.sqrt(wave) : wave)
    return `${(radius * Math.sin(angle)).toFixed(1)} ${(-radius * Math.cos(angle)).toFixed(1)}`
  })
  return `M${points.join('L')}Z`
}
