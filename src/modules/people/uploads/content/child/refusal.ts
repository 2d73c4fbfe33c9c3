import { copyFile } from 'node:fs/promises'
import type { Made } from '../content-types'

export async function save(bytes: Uint8Array, path: string, contentType: string): Promise<Made> {
  await Bun.write(path, bytes)
  return { path, contentType, size: bytes.length, sha256: Bun.SHA256.hash(bytes, 'hex') }
}

export async function copy(from: string, path: string, contentType: string): Promise<Made> {
  await copyFile(from, path)
  const hasher = new Bun.CryptoHasher('sha256')
  let size = 0
  for await (const chunk of Bun.file(path).stream()) {
    hasher.update(chunk)
    size += chunk.length
  }
  return { path, contentType, size, sha256: hasher.digest('hex') }
}

/** Carries a sentence for the owner; never repeats file content. */
export class Refusal extends Error {}

export const DAMAGED = 'The file is damaged: it cannot be read to its end.'
