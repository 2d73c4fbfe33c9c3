import { keyOf, publicPath } from '@/modules/people/uploads/key'
import { type Html, html } from '@/web/html'

/** The path of an image in our own storage. Foreign images are not shown: their host would learn who taps. */
export function ownPicture(address: string | null | undefined): string | undefined {
  const key = address ? keyOf(address) : undefined
  return key ? publicPath(key) : undefined
}

export function faceOf({ name, avatarUrl }: { name: string; avatarUrl: string | null }): Html {
  const path = ownPicture(avatarUrl)
  return path === undefined
    ? html`<div class="face" aria-hidden="true">${initialsOf(name)}</div>`
    : html`<img class="face" src="${path}?w=320" alt="" width="112" height="112">`
}

/** Scripts with upper and lower case get two initials; in others two letters would join, so they get one. */
const CASED = /[\p{Lu}\p{Ll}]/u
const FIRST = /[\p{L}\p{N}]\p{M}*/u

export function initialsOf(name: string): string {
  const letters = name.split(/\s+/).flatMap((word) => FIRST.exec(word)?.[0] ?? [])
  const [first = '', last] = [letters[0], letters.at(-1)]
  return (
    letters.length > 1 && last && CASED.test(first) && CASED.test(last) ? first + last : first
  ).toUpperCase()
}
