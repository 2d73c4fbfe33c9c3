import { badRequest } from '@/core/errors'
import { readBytes } from '@/http/body'

const BYTES_MAX = 8 * 1024
const JSON_CONTENT = /^application\/json\s*(;|$)/i

export async function readBody(request: Request): Promise<unknown> {
  if (!JSON_CONTENT.test(request.headers.get('content-type') ?? ''))
    throw badRequest('Send the body as application/json')
  const bytes = await readBytes(request, BYTES_MAX)
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    throw badRequest('The body is not valid JSON')
  }
}
