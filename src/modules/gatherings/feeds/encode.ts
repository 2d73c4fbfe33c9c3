import { inTurns } from '@/core/in-turns'

/** Characters encoded per turn. */
const PIECE = 64 * 1024

const encoder = new TextEncoder()

/** Encodes UTF-8 in slices that yield to other requests. */
export async function encodeInTurns(text: string): Promise<Uint8Array<ArrayBuffer>> {
  if (text.length <= PIECE) return encoder.encode(text)
  return Buffer.concat(await inTurns([...pieces(text)], (piece) => encoder.encode(piece)))
}

/** Never splits a surrogate pair. */
function* pieces(text: string) {
  for (let start = 0; start < text.length; ) {
    const end = start + PIECE
    const isSplit = end < text.length && (text.charCodeAt(end) & 0xfc00) === 0xdc00
    const stop = isSplit ? end - 1 : end
    yield text.slice(start, stop)
    start = stop
  }
}
