import { badRequest, payloadTooLarge } from '@/core/errors'

export const BODY_BYTES_MAX = 64 * 1024

const JSON_CONTENT = /^application\/json\s*(;\s*charset\s*=\s*"?utf-8"?\s*)?$/i

/** Reads a JSON body. The framework's own parsers take forms too, which would let any site post by cookie. */
export async function readJson(request: Request): Promise<unknown> {
  const length = request.headers.get('content-length')
  if (request.body === null || length === '0') return undefined
  if (!JSON_CONTENT.test(request.headers.get('content-type') ?? ''))
    throw badRequest('Send the body as application/json')
  if (length !== null && Number(length) > BODY_BYTES_MAX) throw payloadTooLarge(BODY_BYTES_MAX)
  const bytes =
    length === null ? await readBounded(request.body) : new Uint8Array(await request.arrayBuffer())
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    throw badRequest('The body is not valid JSON')
  }
}

/** A chunked body does not say how long it will be. */
async function readBounded(stream: ReadableStream<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of stream) {
    size += chunk.byteLength
    if (size > BODY_BYTES_MAX) throw payloadTooLarge(BODY_BYTES_MAX)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
