import { inTurns } from '@/core/in-turns'

/** Characters that are encoded at a stretch. */
const PIECE = 64 * 1024

const encoder = new TextEncoder()

/** UTF-8 of a long text, in turns. */
export async function encodeInTurns(text: string): Promise<Uint8Array<ArrayBuffer>> {
  if (text.length <= PIECE) return encoder.encode(text)
  return Buffer.concat(await inTurns([...pieces(text)], (piece) => encoder.encode(piece)))
}

/** A character of two halves stays whole. */
function* pieces(text: string) {
  for (let start = 0; start < text.length; ) {
    const end = start + PIECE
    const isSplit = end < text.length && (text.charCodeAt(end) & 0xfc00) === 0xdc00
    const stop = isSplit ? end - 1 : end
    yield text.slice(start, stop)
    start = stop
  }
}
