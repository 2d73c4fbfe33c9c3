import { existsSync } from 'node:fs'
import { copyFile, rename, rm, stat, statfs } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { demandName, demandPrefix, idOf } from '../object-names'
import type { Range, Storage, StoredObject } from '../storage'
import { makeFolder, sync } from './durable'
import { guarded } from './failures'
import { listFolder } from './list'
import { scratchFolder, undefinedIfMissing } from './scratch'

type Terms = {
  folder: string
  /** Bytes of the disk that uploads leave to others, such as the database. */
  keepFree: number
}

/** Uploaded files in a folder. An object is a file of its own, which has its name only once it is whole and durable. */
export function diskStorage({ folder, keepFree }: Terms): Storage {
  const { scratch, leftovers } = scratchFolder(join(folder, 'scratch'))
  const pathOf = (name: string) => {
    demandName(name)
    return `${folder}/${placeOf(name)}`
  }
  return {
    label: `the folder ${folder}`,
    scratch,
    leftovers,
    read(name, range) {
      const path = pathOf(name)
      return existsSync(path) ? partOf(path, range) : null
    },
    find: (name) => guarded(() => look(name, pathOf(name))),
    adopt: (name, path) => guarded(() => take(path, pathOf(name), scratch)),
    borrow: (name) =>
      guarded(async () => {
        const path = pathOf(name)
        return (await look(name, path)) && { path, done: async () => {} }
      }),
    remove: (name) => guarded(() => rm(pathOf(name), { force: true })),
    list(prefix, onStray) {
      demandPrefix(prefix)
      return listFolder(folder, prefix, onStray)
    },
    room: () =>
      guarded(async () => {
        await makeFolder(folder)
        const { bavail, bsize } = await statfs(folder)
        return Math.max(0, bavail * bsize - keepFree)
      }),
  }
}

/**
 * Objects are spread over 256 folders for each kind, by the last characters of their id: the first ones tell the time,
 * and would put all of a year into one.
 */
export function placeOf(name: string): string {
  const cut = name.indexOf('/')
  return `${name.slice(0, cut)}/${idOf(name).slice(-2)}${name.slice(cut)}`
}

function partOf(path: string, range?: Range): Blob {
  const file = Bun.file(path)
  return range ? file.slice(range.start, range.end) : file
}

async function look(name: string, path: string): Promise<StoredObject | null> {
  const found = await stat(path).catch(undefinedIfMissing)
  return found ? { name, size: found.size, modifiedAt: found.mtime } : null
}

async function take(from: string, to: string, scratch: () => string): Promise<void> {
  let unfinished = from
  try {
    await makeFolder(dirname(to))
    await sync(from)
    await rename(from, to).catch(async (error) => {
      if (error.code !== 'EXDEV') throw error
      unfinished = scratch()
      await copyFile(from, unfinished)
      await sync(unfinished)
      await rename(unfinished, to)
    })
    await sync(dirname(to))
  } finally {
    await rm(unfinished, { force: true })
    await rm(from, { force: true })
  }
}
