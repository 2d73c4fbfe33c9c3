import { DAMAGED, Refusal } from '../refusal'
import type { JsonObject } from './json'
import { at, extension, listOf, whole } from './shape'

/** Memory that a viewer allocates for compressed views. */
const UNPACKED_AT_MOST = 64 * 1024 * 1024
const MESHOPT = ['EXT_meshopt_compression', 'KHR_meshopt_compression']

type Span = { from: number; to: number }

/**
 * Refuses views past the end of their buffer, and returns the binary chunk without unreferenced bytes. Buffers are the binary
 * chunk, and those that a viewer allocates to decompress meshopt.
 */
export function checkBuffers(model: JsonObject, binary: Uint8Array | null): Uint8Array | null {
  const lengths = listOf(model, 'buffers').map((buffer, index) => lengthOf(buffer, index, binary))
  if (lengths.slice(1).reduce((sum, length) => sum + length, 0) > UNPACKED_AT_MOST)
    throw new Refusal('The model is too complex.')
  const spans: Span[] = []
  for (const view of listOf(model, 'bufferViews'))
    for (const part of [view, extension(view, ...MESHOPT)]) {
      if (!part) continue
      const from = whole(part.byteOffset, 0)
      const to = from + whole(part.byteLength)
      if (to > at(lengths, part.buffer)) throw new Refusal(DAMAGED)
      if (part.buffer === 0) spans.push({ from, to })
    }
  if (!binary || lengths.length === 0) return null
  const shown = binary.subarray(0, lengths[0])
  blankBetween(shown, spans)
  return shown
}

function lengthOf(buffer: JsonObject, index: number, binary: Uint8Array | null): number {
  const length = whole(buffer.byteLength)
  const isBinaryChunk = index === 0 && binary !== null
  if (!isBinaryChunk && extension(buffer, ...MESHOPT)?.fallback !== true) throw new Refusal(DAMAGED)
  if (isBinaryChunk && (length > binary.length || binary.length - length > 3)) throw new Refusal(DAMAGED)
  return length
}

function blankBetween(bytes: Uint8Array, spans: Span[]) {
  let done = 0
  for (const { from, to } of spans.sort((one, other) => one.from - other.from)) {
    if (from > done) bytes.fill(0, done, from)
    done = Math.max(done, to)
  }
  bytes.fill(0, done)
}
