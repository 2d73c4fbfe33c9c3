import { rm } from 'node:fs/promises'
import { writeNew } from './local/write'
import { hashOfObject, type Storage, StorageDown, StorageFull, type StoredObject, streamOf } from './storage'

export type Moved = {
  objects: number
  bytes: number
  copied: number
  /** Already there with the same content. */
  skipped: number
  /** Deleted meanwhile. */
  gone: number
}

/** Copies missing objects first, then compares the others. */
type Stage = 'copying' | 'comparing'

export type Progress = { stage: Stage; done: Amount; of: Amount }

type Amount = { objects: number; bytes: number }

/** Copies are bound by the network. */
const AT_ONCE = 4

/**
 * Copies every object to another storage and reads each back. An object never changes its content, so this may be interrupted,
 * repeated, and run beside the server. People may be waiting for missing files, above all recent ones, so those go first.
 */
export async function copyAll(
  from: Storage,
  to: Storage,
  onProgress: (progress: Progress) => void,
): Promise<Moved> {
  const objects = await Array.fromAsync(from.list(''))
  const there = new Map<string, number>()
  for await (const { name, size } of to.list('')) there.set(name, size)
  const isThere = ({ name, size }: StoredObject) => there.get(name) === size
  const moved: Moved = { ...amountOf(objects), copied: 0, skipped: 0, gone: 0 }
  const pass = async (stage: Stage, some: StoredObject[], work: typeof copyOne) => {
    const [done, of] = [amountOf([]), amountOf(some)]
    await several(some, async (object) => {
      moved[await work(from, to, object)] += 1
      done.objects += 1
      done.bytes += object.size
      onProgress({ stage, done, of })
    })
  }
  await pass('copying', objects.filter((object) => !isThere(object)).sort(newestFirst), copyOne)
  await pass('comparing', objects.filter(isThere), compareOne)
  return moved
}

const newestFirst = (a: StoredObject, b: StoredObject) => b.modifiedAt.getTime() - a.modifiedAt.getTime()

const amountOf = (objects: StoredObject[]): Amount => ({
  objects: objects.length,
  bytes: objects.reduce((sum, { size }) => sum + size, 0),
})

async function several<T>(all: T[], work: (one: T) => Promise<void>): Promise<void> {
  const waiting = all.values()
  const worker = async () => {
    for (const one of waiting) await work(one)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
}

type Outcome = 'copied' | 'skipped' | 'gone'

async function copyOne(from: Storage, to: Storage, { name, size }: StoredObject): Promise<Outcome> {
  const body = await streamOf(from, name)
  if (body === null) return 'gone'
  const freeBytes = await to.freeBytes()
  if (freeBytes !== null && freeBytes < size) throw new StorageFull(`There is no room in ${to.label}`)
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

async function compareOne(from: Storage, to: Storage, object: StoredObject): Promise<Outcome> {
  const [here, there] = await Promise.all([hashOfObject(from, object.name), hashOfObject(to, object.name)])
  return here !== null && here === there ? 'skipped' : copyOne(from, to, object)
}
