import { fold } from '@/core/fold'
import { type Html, html } from '@/web/html'

/** An owner keeps up to five addresses of up to 2,048 characters each; a card has room for so many bytes of them. */
const ROOM = 1500
const SHOWN_MAX = 60

/** The addresses that an owner shows. One that is too long for a card is in the contact download all the same. */
export function linksOf(addresses: readonly string[]): Html | false {
  let room = ROOM
  const items: Html[] = []
  for (const address of addresses) {
    const item = linkTo(address)
    const size = item === undefined ? 0 : Buffer.byteLength(item.text)
    if (item === undefined || size > room) continue
    room -= size
    items.push(item)
  }
  return items.length > 0 && html`<ul class="links">${items}</ul>`
}

function linkTo(address: string): Html | undefined {
  const url = webAddress(address)
  return (
    url && html`<li><a href="${url.href}" rel="nofollow noopener"><bdi dir="ltr">${shown(url)}</bdi></a></li>`
  )
}

/** Undefined for what a browser would not merely visit. */
export function webAddress(address: string): URL | undefined {
  const url = URL.parse(address)
  return url && /^https?:$/.test(url.protocol) && url.username + url.password === '' ? url : undefined
}

/** As people write addresses. A host stands as the name service knows it, so that none looks like another. */
function shown({ host, pathname, search }: URL): string {
  const text = host.replace(/^www\./, '') + (pathname + search).replace(/\/$/, '')
  return text.length > SHOWN_MAX ? `${text.slice(0, SHOWN_MAX - 1)}…` : text
}

/** How a vCard wants a name: address books sort by the family's. */
export type SplitName = { family: string; given: string }

/** Scripts in which the family's name comes first. */
const FAMILY_FIRST = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\s・]+$/u
/** `van`, `de la`, `bin`: what stands in lower case within a name belongs to what follows. */
const PARTICLE = /^\p{Ll}[\p{Ll}'’]*$/u

/** A guess, since people type one line: the full name is told beside it. */
export function splitName(name: string): SplitName {
  const words = name.trim().split(/\s+/)
  if (words.length === 1) return { family: '', given: words.join() }
  if (FAMILY_FIRST.test(name)) return { family: words[0] as string, given: words.slice(1).join(' ') }
  let first = words.length - 1
  while (first > 1 && PARTICLE.test(words[first - 1] as string)) first -= 1
  return { family: words.slice(first).join(' '), given: words.slice(0, first).join(' ') }
}

/** A picture within the contact, or where the contact's reader may fetch it. */
export type Photo = { type: 'JPEG' | 'PNG'; bytes: Uint8Array } | { url: string }

export type Contact = {
  name: string
  photo: Photo | null
  /** The profile's address first. */
  addresses: readonly string[]
}

/** A contact for an address book (vCard 3.0, RFC 2426). Phones read no later version reliably. */
export function vcardOf({ name, photo, addresses }: Contact): string {
  const { family, given } = splitName(plain(name))
  const lines = [
    'BEGIN:VCARD',
    'VERSION:3.0',
    `N:${escaped(family)};${escaped(given)};;;`,
    `FN:${escaped(plain(name))}`,
    ...(photo ? [photoLine(photo)] : []),
    ...addresses.flatMap((address) => urlLine(address)),
    'END:VCARD',
    '',
  ]
  return fold(lines.join('\r\n'))
}

const photoLine = (photo: Photo) =>
  'bytes' in photo
    ? `PHOTO;ENCODING=b;TYPE=${photo.type}:${Buffer.from(photo.bytes).toString('base64')}`
    : `PHOTO;VALUE=uri:${photo.url}`

/** An address is no text, and stands as it is. */
function urlLine(address: string): string[] {
  const url = webAddress(address)
  return url ? [`URL:${url.href.replaceAll('\\', '%5C')}`] : []
}

/** A name on one line, without what no line may hold. */
const plain = (text: string) =>
  text
    .toWellFormed()
    .replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .trim()

const escaped = (text: string) => text.replace(/[\\;,]/g, '\\$&')
