import { initialsOf, ownPicture } from '@/modules/passes/card/face'
import { type Html, html } from '@/web/html'

type Person = { id: string; name: string; avatarUrl: string | null }
type Size = 'small' | 'middle' | 'large'

const PIXELS: Record<Size, number> = { small: 36, middle: 48, large: 112 }
const HUES = 8

/** A person's picture, or coloured initials. Decorative: the name is beside it. */
export function face({ id, name, avatarUrl }: Person, size: Size = 'middle'): Html {
  const path = ownPicture(avatarUrl)
  const pixels = PIXELS[size]
  return path === undefined
    ? html`<span class="face ${size} hue${Bun.hash.crc32(id) % HUES}" aria-hidden="true">${initialsOf(name)}</span>`
    : html`<img class="face ${size}" src="${path}?w=${size === 'large' ? 320 : 160}" alt="" width="${pixels}" height="${pixels}" loading="lazy" decoding="async">`
}
