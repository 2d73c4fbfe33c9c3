import { conflict } from '@/core/errors'
import { refusals } from '@/core/refusals'

/** The smallest tags have 144 bytes; the rest leaves room for the tag's mirrored UID and counter. */
const BYTES_MAX = 100

/** Flags: message begin, message end, short record, well-known type. */
const ONLY_RECORD = 0xd1
const URI = 0x55
const SCHEMES = { 'http://': 0x03, 'https://': 0x04 }

/** An NDEF message with one URI record. */
export function ndefOf(url: string): Uint8Array {
  const [scheme, code] = Object.entries(SCHEMES).find(([beginning]) => url.startsWith(beginning)) ?? ['', 0]
  const rest = new TextEncoder().encode(url.slice(scheme.length))
  const message = Uint8Array.of(ONLY_RECORD, 1, 1 + rest.length, URI, code, ...rest)
  if (message.length > BYTES_MAX) throw conflict(refusals.tagAddressTooLong(message.length - BYTES_MAX))
  return message
}
