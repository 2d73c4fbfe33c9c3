import { rm } from 'node:fs/promises'
import { onEmpty } from '@/db/backup/empty-target'
import { analyze, type Feed, load } from '@/db/backup/load'
import { writeNew } from '@/outbound/storage/local/write'
import { type Storage, StorageFull } from '@/outbound/storage/storage'
import { objectIn, tableIn } from './archive/names'
import { decompress } from './archive/parts'
import type { Files, Manifest } from './manifest'
import { verify } from './verify'

export type Progress = { stage: 'restoring'; table: string; files: Files }

type Terms = {
  file: string
  manifest: Manifest
  databaseUrl: string
  storage: Storage
  putKey: () => void
  onProgress: (so: Progress) => void
}

/** Restores a verified backup. Rows become visible only when all are loaded and compared, and the files are stored. */
export async function restore(terms: Terms): Promise<void> {
  const { file, manifest, databaseUrl, storage, putKey, onProgress } = terms
  await onEmpty(databaseUrl, async () => {
    await requireFreeSpace(storage, manifest)
    // Would overwrite the key of an existing community: only now it is known that none exists.
    putKey()
    await load(databaseUrl, manifest, async (feed) => {
      const so: Progress = { stage: 'restoring', table: '', files: { objects: 0, bytes: 0 } }
      await verify(file, async (name, content) => {
        await bringBack(name, content, { feed, storage, so })
        onProgress(so)
      })
      return manifest
    })
  })
  await analyze(databaseUrl)
}

async function requireFreeSpace(storage: Storage, { files }: Manifest) {
  const freeBytes = files && (await storage.freeBytes())
  if (files && freeBytes != null && freeBytes < files.bytes)
    throw new StorageFull(`There is no room in ${storage.label} for ${files.bytes} bytes of files`)
}

type Into = { feed: Feed; storage: Storage; so: Progress }

async function bringBack(name: string, content: AsyncGenerator<Uint8Array>, { feed, storage, so }: Into) {
  const table = tableIn(name)
  const object = objectIn(name)
  if (table !== undefined) {
    so.table = table
    await decompress(name, content, (rows) => feed(table, rows))
  } else if (object !== undefined) {
    const path = storage.scratch()
    so.files.bytes += await store(storage, object, path, content)
    so.files.objects += 1
  }
}

/** Returns the number of bytes. */
async function store(
  storage: Storage,
  name: string,
  path: string,
  content: AsyncGenerator<Uint8Array>,
): Promise<number> {
  let size = 0
  async function* counted() {
    for await (const chunk of content) {
      size += chunk.length
      yield chunk
    }
  }
  await writeNew(path, counted()).catch(async (error) => {
    await rm(path, { force: true })
    throw error
  })
  await storage.adopt(name, path)
  return size
}
