import { rm } from 'node:fs/promises'
import { hashOfObject, streamOf } from './content'
import { writeNew } from './local/write'
import { type Storage, StorageDown, StorageFull, type StoredObject } from './storage'

export type Moved = {
  objects: number
  bytes: number
  copied: number
  /** Those that were there already, with the same content. */
  skipped: number
  /** Those that were deleted meanwhile. */
  gone: number
}

type Progress = Moved & { bytesDone: number }

/** Copies wait for the network more than for anything else. */
const AT_ONCE = 4

/**
 * Copies every object to another storage and reads each back from there. An object is never written twice with another
 * content, so this can be ended at any time and begun again, and can run while the server does.
 */
export async function copyAll(
  from: Storage,
  to: Storage,
  onProgress: (progress: Progress) => void,
): Promise<Moved> {
  const objects = await Array.fromAsync(from.list(''))
  const bytes = objects.reduce((sum, { size }) => sum + size, 0)
  const progress: Progress = { objects: objects.length, bytes, copied: 0, skipped: 0, gone: 0, bytesDone: 0 }
  const waiting = objects.values()
  const work = async () => {
    for (const object of waiting) {
      progress[await copyOne(from, to, object)] += 1
      progress.bytesDone += object.size
      onProgress(progress)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  const { bytesDone: _, ...moved } = progress
  return moved
}

async function copyOne(
  from: Storage,
  to: Storage,
  { name, size }: StoredObject,
): Promise<'copied' | 'skipped' | 'gone'> {
  if ((await to.find(name))?.size === size && (await isSame(from, to, name))) return 'skipped'
  const body = await streamOf(from, name)
  if (body === null) return 'gone'
  const room = await to.room()
  if (room !== null && room < size) throw new StorageFull(`There is no room in ${to.label}`)
  const path = to.scratch()
  const written = await writeNew(path, body).catch(async (error) => {
    await rm(path, { force: true })
    throw error
  })
  await to.adopt(name, path)
  if ((await hashOfObject(to, name)) !== written)
    throw new StorageDown(`What was written to ${to.label} is not what is read there (${name})`)
  return 'copied'
}

async function isSame(from: Storage, to: Storage, name: string): Promise<boolean> {
  const [here, there] = await Promise.all([hashOfObject(from, name), hashOfObject(to, name)])
  return here === there
}
