import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { StorageDown, StorageFull } from '../storage'

const codeOf = (error: unknown) => (error as NodeJS.ErrnoException | null)?.code

export const isMissing = (error: unknown) => codeOf(error) === 'ENOENT'

/** Maps errors of the operating system to storage errors; bugs pass unchanged. */
export function asStorageFailure(error: unknown): unknown {
  const code = codeOf(error)
  if (code === 'ENOSPC' || code === 'EDQUOT')
    return new StorageFull('The disk of the storage is full', { cause: error })
  if (typeof code === 'string' && /^E[A-Z0-9]+$/.test(code))
    return new StorageDown('The folder of the storage cannot be used', { cause: error })
  return error
}

export async function guarded<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw asStorageFailure(error)
  }
}

/** Streams a body into a new file and returns its SHA-256. */
export const writeNew = (path: string, body: AsyncIterable<Uint8Array>): Promise<string> =>
  guarded(async () => {
    const hash = new Bun.CryptoHasher('sha256')
    const file = await open(path, 'wx', 0o600)
    try {
      for await (const chunk of body) {
        hash.update(chunk)
        for (let at = 0; at < chunk.byteLength; ) at += (await file.write(chunk, at)).bytesWritten
      }
    } finally {
      await file.close()
    }
    return hash.digest('hex')
  })

export const hashOfFile = (path: string): Promise<string> =>
  guarded(async () => {
    const hash = new Bun.CryptoHasher('sha256')
    for await (const chunk of createReadStream(path)) hash.update(chunk)
    return hash.digest('hex')
  })
