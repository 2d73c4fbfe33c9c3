import type { Storage } from './storage'

export async function streamOf(storage: Storage, name: string): Promise<ReadableStream<Uint8Array> | null> {
  const found = await storage.read(name)
  return found instanceof Blob ? found.stream() : found
}

/** The SHA-256 of an object, or null if it is missing. */
export async function hashOfObject(storage: Storage, name: string): Promise<string | null> {
  const body = await streamOf(storage, name)
  if (body === null) return null
  const hash = new Bun.CryptoHasher('sha256')
  for await (const chunk of body) hash.update(chunk)
  return hash.digest('hex')
}
