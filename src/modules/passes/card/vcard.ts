import { fold } from '@/core/text'
import { type Html, html } from '@/web/html'

/** Bytes of links on a card: owners may have five of 2,048 characters each. */
const LINKS_BYTES_MAX = 1500
const SHOWN_MAX = 60

/** Links too long for the card are still in the contact download. */
export function linksOf(addresses: readonly string[]): Html | false {
  let bytesLeft = LINKS_BYTES_MAX
  const items: Html[] = []
  for (const address of addresses) {
    const item = linkTo(address)
    const size = item === undefined ? 0 : Buffer.byteLength(item.text)
    if (item === undefined || size > bytesLeft) continue
    bytesLeft -= size
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

/** Undefined unless it is http(s) without credentials. */
export function webAddress(address: string): URL | undefined {
  const url = URL.parse(address)
  return url && /^https?:$/.test(url.protocol) && url.username + url.password === '' ? url : undefined
}

/** Shows the host in punycode, to prevent lookalikes. */
function shown({ host, pathname, search }: URL): string {
  const text = host.replace(/^www\./, '') + (pathname + search).replace(/\/$/, '')
  return text.length > SHOWN_MAX ? `${text.slice(0, SHOWN_MAX - 1)}…` : text
}

/** Address books sort by family name. */
export type SplitName = { family: string; given: string }

/** Scripts that write the family name first. */
const FAMILY_FIRST = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\s・]+$/u
/** `van`, `de la`, `bin`: lower-case words belong to the following name. */
const PARTICLE = /^\p{Ll}[\p{Ll}'’]*$/u

/** A guess from a single line; the vCard also has the full name. */
export function splitName(name: string): SplitName {
  const words = name.trim().split(/\s+/)
  if (words.length === 1) return { family: '', given: words.join() }
  if (FAMILY_FIRST.test(name)) return { family: words[0] as string, given: words.slice(1).join(' ') }
  let first = words.length - 1
  while (first > 1 && PARTICLE.test(words[first - 1] as string)) first -= 1
  return { family: words.slice(first).join(' '), given: words.slice(0, first).join(' ') }
}

/** Embedded, or linked. */
export type Photo = { type: 'JPEG' | 'PNG'; bytes: Uint8Array } | { url: string }

export type Contact = {
  name: string
  photo: Photo | null
  /** The profile URL comes first. */
  addresses: readonly string[]
}

/** vCard 3.0 (RFC 2426): phones do not read later versions reliably. */
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

/** URLs are not escaped. */
function urlLine(address: string): string[] {
  const url = webAddress(address)
  return url ? [`URL:${url.href.replaceAll('\\', '%5C')}`] : []
}

/** Removes line breaks and control characters. */
const plain = (text: string) =>
  text
    .toWellFormed()
    .replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .trim()

const escaped = (text: string) => text.replace(/[\\;,]/g, '\\$&')
