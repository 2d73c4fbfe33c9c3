import { rm } from 'node:fs/promises'
import { badRequest } from '@/core/errors'
import { asStorageFailure } from '@/outbound/storage/local/failures'
import { explainStorage } from '../failures'

/**
 * Writes a body into a new file as it comes. It is handed over whole to the runtime, which takes from the socket what it
 * has written: a hundred senders cost as little memory as one, which a loop over the parts does not achieve. Anything but
 * the exact length leaves no file. Gives the hash of what was written.
 */
export async function writeExactly(path: string, request: Request, size: number): Promise<string> {
  try {
    const written = request.body === null ? 0 : await Bun.write(path, request as unknown as Response)
    if (written !== size) throw badRequest(`The body ended after ${written} of ${size} bytes`)
    const hash = new Bun.CryptoHasher('sha256')
    for await (const part of Bun.file(path).stream()) hash.update(part)
    return hash.digest('hex')
  } catch (error) {
    await rm(path, { force: true }).catch(() => {})
    if ((error as Error).name === 'AbortError') throw badRequest('The connection ended before the body did')
    return explainStorage(asStorageFailure(error))
  }
}
