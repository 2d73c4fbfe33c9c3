import { statSync } from 'node:fs'
import { copyFile, rename, rm, stat, statfs } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { demandName, demandPrefix, idOf } from '../object-names'
import { damaged, type OnStray, type Range, type Storage, type StoredObject } from '../storage'
import { makeFolder, sync } from './durable'
import { listFolder, type MayBegin, markedFolder } from './marker'
import { scratchFolder, undefinedIfMissing } from './scratch'
import { asStorageFailure, guarded } from './write'

type Terms = {
  folder: string
  /** Disk space that uploads leave to others, such as the database. */
  keepFree: number
  mayBegin?: MayBegin
}

const NO_THROW = { throwIfNoEntry: false } as const

/** Uploaded files in a folder. A file gets its name only once it is complete and durable. */
export function diskStorage({ folder, keepFree, mayBegin = async () => true }: Terms): Storage {
  const marked = markedFolder(folder, mayBegin)
  const { scratch: newScratch, leftovers } = scratchFolder(join(folder, 'scratch'))
  const scratch = () => {
    marked.demandAtOnce()
    return newScratch()
  }
  /** Checks the marker before reporting a file as missing: the folder may be the wrong one. */
  const missing = () => guarded(() => marked.demand().then(() => null))
  const pathOf = (name: string) => {
    demandName(name)
    return `${folder}/${placeOf(name)}`
  }
  async function* listMarked(prefix: string, onStray?: OnStray) {
    await guarded(marked.demand)
    yield* listFolder(folder, prefix, onStray)
  }
  return {
    label: `the folder ${folder}`,
    scratch,
    leftovers,
    read(name, range, size) {
      const path = pathOf(name)
      try {
        const found = statSync(path, NO_THROW)
        if (found === undefined) return missing()
        if (size !== undefined && found.size !== size) throw damaged(name, found.size, size)
        return partOf(path, range)
      } catch (error) {
        return Promise.reject(asStorageFailure(error))
      }
    },
    find: async (name) => (await guarded(() => look(name, pathOf(name)))) ?? missing(),
    adopt: (name, path) => guarded(() => take(path, pathOf(name), scratch, marked.begin)),
    borrow: (name) =>
      guarded(async () => {
        const path = pathOf(name)
        return (await look(name, path)) ? { path, done: async () => {} } : missing()
      }),
    remove: (name) =>
      guarded(async () => {
        const path = pathOf(name)
        await marked.demand()
        await rm(path, { force: true })
      }),
    list(prefix, onStray) {
      demandPrefix(prefix)
      return listMarked(prefix, onStray)
    },
    freeBytes: () =>
      guarded(async () => {
        await marked.begin()
        const { bavail, bsize } = await statfs(folder)
        return Math.max(0, bavail * bsize - keepFree)
      }),
  }
}

/**
 * Spreads objects over 256 folders per kind, by the last characters of their id: the first ones are the time and would put a
 * whole year into one.
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

async function take(
  from: string,
  to: string,
  scratch: () => string,
  begin: () => Promise<void>,
): Promise<void> {
  let unfinished = from
  try {
    await begin()
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
