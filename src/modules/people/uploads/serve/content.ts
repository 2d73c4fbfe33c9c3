import { storage } from '@/outbound/storage/current'
import type { Range } from '@/outbound/storage/storage'
import type { Version } from './versions'

/** Bun sends a stream without its length, so what is small is read whole first. */
const WHOLE_MAX = 256 * 1024

export type Content = Uint8Array | Blob | ReadableStream<Uint8Array>

/** The content of a version, or a part of it; null when it is not there. At once, unless it comes over a network. */
export function contentOf(
  { object, size }: Version,
  range?: Range,
): Content | null | Promise<Content | null> {
  const found = storage.read(object, range, size)
  if (!(found instanceof Promise)) return found
  const length = range ? range.end - range.start : size
  return length > WHOLE_MAX ? found : found.then((stream) => stream && new Response(stream).bytes())
}
