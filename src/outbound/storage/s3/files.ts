import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { guarded } from '../local/failures'

export async function hashOf(path: string): Promise<string> {
  return guarded(async () => {
    const hash = new Bun.CryptoHasher('sha256')
    for await (const chunk of createReadStream(path)) hash.update(chunk)
    return hash.digest('hex')
  })
}

/** Writes a body to a file; a full disk is `StorageFull`. */
export const download = (body: ReadableStream<Uint8Array>, path: string): Promise<void> =>
  guarded(async () => {
    const file = await open(path, 'wx', 0o600)
    try {
      for await (const chunk of body)
        for (let at = 0; at < chunk.byteLength; ) at += (await file.write(chunk, at)).bytesWritten
    } finally {
      await file.close()
    }
  })
