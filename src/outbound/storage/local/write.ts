import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { guarded } from './failures'

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
