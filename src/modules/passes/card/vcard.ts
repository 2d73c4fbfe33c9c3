import { fold } from '@/core/fold'
import { splitName } from './family-name'
import { webAddress } from './links'

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
