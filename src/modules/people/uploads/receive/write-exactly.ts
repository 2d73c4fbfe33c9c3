import { type FileHandle, open, rm } from 'node:fs/promises'
import { badRequest } from '@/core/errors'
import { asStorageFailure } from '@/outbound/storage/local/failures'
import { explainStorage } from '../failures'

/**
 * Writes a body into a new file as it comes, each part before the next is taken: a hundred senders cost as little memory
 * as one. Anything but the exact length leaves no file.
 */
export async function writeExactly(
  path: string,
  body: ReadableStream<Uint8Array> | null,
  size: number,
): Promise<void> {
  let file: FileHandle | undefined
  try {
    file = await open(path, 'wx', 0o600)
    const written = body === null ? 0 : await copy(body, file, size)
    if (written !== size) throw badRequest(`The body ended after ${written} of ${size} bytes`)
    await file.close()
  } catch (error) {
    await file?.close().catch(() => {})
    await rm(path, { force: true }).catch(() => {})
    return explainStorage(asStorageFailure(error))
  }
}

async function copy(body: ReadableStream<Uint8Array>, file: FileHandle, size: number): Promise<number> {
  let written = 0
  for await (const chunk of body) {
    if (written + chunk.byteLength > size) throw badRequest(`The body is longer than ${size} bytes`)
    for (let from = 0; from < chunk.byteLength; ) {
      const { bytesWritten } = await file.write(chunk, from)
      from += bytesWritten
    }
    written += chunk.byteLength
  }
  return written
}
