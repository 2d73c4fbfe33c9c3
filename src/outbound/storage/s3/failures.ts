import { StorageDown, StorageFull } from '../storage'

const FULL = /Quota|StorageFull|InsufficientStorage|EntityTooLarge/i
const EXCERPT = 2000

/** The S3 error code, validated: the response may repeat the request. */
export async function refusalOf(response: Response): Promise<{ code: string; error: Error }> {
  const text = await response.text().catch(() => '')
  const code = /<Code>(\w{1,40})<\/Code>/.exec(text.slice(0, EXCERPT))?.[1] ?? `HTTP_${response.status}`
  const cause = Object.assign(new Error(code), { code })
  const isFull = response.status === 507 || response.status === 413 || FULL.test(code)
  return {
    code,
    error: isFull
      ? new StorageFull('The storage has no room left', { cause })
      : new StorageDown(`The storage refuses a request (${code})`, { cause }),
  }
}

/** No response, or an incomplete one. Messages of `fetch` contain the address, so only the code is kept. */
export function unreached(error: unknown): StorageDown {
  const { name, code } = error as { name?: string; code?: unknown }
  const isLate = name === 'TimeoutError' || name === 'AbortError'
  const known = isLate ? 'ETIMEDOUT' : typeof code === 'string' ? code : (name ?? 'Error')
  const cause = Object.assign(new Error(known), { code: known })
  return new StorageDown(`The storage ${isLate ? 'does not answer in time' : 'cannot be reached'}`, { cause })
}
