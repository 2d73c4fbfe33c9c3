import { badRequest, payloadTooLarge } from '@/core/errors'

export const BODY_BYTES_MAX = 64 * 1024

const JSON_CONTENT = /^application\/json\s*(;\s*charset\s*=\s*"?utf-8"?\s*)?$/i

/** Reads a JSON body. The framework's parsers accept forms too, which would let any site post with the cookie. */
export async function readJson(request: Request, bytesMax = BODY_BYTES_MAX): Promise<unknown> {
  const length = request.headers.get('content-length')
  if (length === '0' || (length === null && request.body === null)) return undefined
  if (!JSON_CONTENT.test(request.headers.get('content-type') ?? ''))
    throw badRequest('Send the body as application/json')
  const bytes = await readBytes(request, bytesMax)
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    throw badRequest('The body is not valid JSON')
  }
}

/** The raw body; throws at once if its declared length is too large. */
export function readBytes(request: Request, bytesMax = BODY_BYTES_MAX): Promise<Uint8Array> {
  const length = request.headers.get('content-length')
  if (length === null) return readBounded(request.body, bytesMax)
  if (Number(length) > bytesMax) throw payloadTooLarge(bytesMax)
  // Reading `request.body` first would create a stream, which costs as much as the reading.
  return request.bytes()
}

/** A chunked body declares no length. */
async function readBounded(stream: ReadableStream<Uint8Array> | null, bytesMax: number): Promise<Uint8Array> {
  if (stream === null) return new Uint8Array()
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of stream) {
    size += chunk.byteLength
    if (size > bytesMax) throw payloadTooLarge(bytesMax)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
