import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import { now } from '@/core/clock'
import { newId } from '@/core/ids'
import type { Category } from '@/modules/people/uploads/categories'
import { newKey, publicUrl } from '@/modules/people/uploads/key'
import { incomingName } from '@/modules/people/uploads/objects'
import { storage } from '@/outbound/storage/current'

const TYPES = { webp: 'image/webp', png: 'image/png', jpg: 'image/jpeg' } as const

/** Puts a picture into the storage as if its owner had just sent it. The row says so afterwards, and a worker checks it. */
export async function send(ownerId: string, category: Category, file: string) {
  const path = join(import.meta.dir, file)
  const contentType = TYPES[file.split('.').at(-1) as keyof typeof TYPES]
  const [incoming, key, scratch] = [
    crypto.randomUUID(),
    newKey({ category, contentType }, file),
    storage.scratch(),
  ]
  await copyFile(path, scratch)
  const declaredSize = Bun.file(path).size
  await storage.adopt(incomingName(incoming), scratch)
  const row = {
    ...{ id: newId(), key, ownerId, maker: 'person' as const, category, filename: file, contentType },
    ...{ declaredSize, state: 'received' as const, incoming, nextCheckAt: now() },
    ...{ expiresAt: now(), createdAt: now(), changedAt: now() },
  }
  return { row, url: publicUrl(key) }
}
