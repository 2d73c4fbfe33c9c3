import { apiUrl } from '../../../../support/api'
import { makeUser } from '../../../../support/make'
import { makeUpload } from '../../../../support/make-upload'

type Fields = Parameters<typeof makeUpload>[1] & { ownerId?: string }

/** A file of somebody. */
export const makeFile = async ({ ownerId, ...fields }: Fields = {}) =>
  makeUpload(ownerId ?? (await makeUser()).id, { category: 'media', content: someBytes(1000), ...fields })

export const fileUrl = (key: string) => `/v1/uploads/file/${key}`

export const sha256 = (bytes: Uint8Array<ArrayBuffer>) =>
  new Bun.CryptoHasher('sha256').update(bytes).digest('hex')

/** Bytes that no other file has. */
export function someBytes(length: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(length)
  for (let from = 0; from < length; from += 65_536)
    crypto.getRandomValues(bytes.subarray(from, from + 65_536))
  return bytes
}

export async function bytesAt(path: string, headers: Record<string, string> = {}) {
  const answer = await fetch(apiUrl() + path, { headers })
  return { status: answer.status, headers: answer.headers, bytes: new Uint8Array(await answer.arrayBuffer()) }
}
