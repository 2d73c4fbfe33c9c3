import { existsSync } from 'node:fs'
import { open, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { idOf, isObjectName, KINDS } from '../object-names'
import { type OnStray, StorageDown, type StoredObject } from '../storage'
import { makeFolder, sync } from './durable'
import { undefinedIfMissing } from './scratch'
import { guarded, isMissing } from './write'

/** Identifies the right folder. */
export const MARKER = '.folkmoot-storage'

/** Allowed in the root: our own entries, and those of a file system. */
const IN_ROOT = new Set<string>([...KINDS, 'scratch', MARKER, 'lost+found'])

/** The objects in a folder; skips other files. */
export async function* listFolder(
  root: string,
  prefix: string,
  onStray: OnStray = () => {},
): AsyncGenerator<StoredObject> {
  if (prefix === '') for (const name of await namesIn(root)) if (!IN_ROOT.has(name)) onStray(name)
  for (const kind of KINDS) {
    if (!`${kind}/`.startsWith(prefix.slice(0, kind.length + 1))) continue
    const ending = prefix.length > kind.length + 1 ? idOf(prefix).slice(-2) : undefined
    for (const part of ending ? [ending] : await namesIn(join(root, kind)))
      for (const file of await namesIn(join(root, kind, part), () => onStray(`${kind}/${part}`))) {
        const name = `${kind}/${file}`
        const path = `${kind}/${part}/${file}`
        if (!isObjectName(name) || idOf(name).slice(-2) !== part) onStray(path)
        else if (name.startsWith(prefix)) {
          const found = await guarded(() => stat(join(root, path)).catch(undefinedIfMissing))
          if (found?.isFile()) yield { name, size: found.size, modifiedAt: found.mtime }
          else if (found) onStray(path)
        }
      }
  }
}

const namesIn = (folder: string, onFile = () => {}): Promise<string[]> =>
  guarded(() =>
    readdir(folder).catch((error) => {
      if (error.code === 'ENOTDIR') onFile()
      else if (!isMissing(error)) throw error
      return []
    }),
  )

const TEXT = 'Folkmoot keeps uploaded files in this folder, and takes it for another one without this file.\n'

/** Whether an empty folder is right: nothing has been stored so far. */
export type MayBegin = () => Promise<boolean>

/**
 * An unmounted disk or a mistyped path looks like an empty folder: files would be missing, and new ones lost after the next
 * mount. So the right one holds a marker, checked before each change and when a file is missing.
 */
export function markedFolder(folder: string, mayBegin: MayBegin) {
  const marker = join(folder, MARKER)
  let isSeen = false

  function isThere(): boolean {
    if (existsSync(marker)) isSeen = true
    else if (isSeen)
      throw new StorageDown(
        `The folder ${folder} has lost its file ${MARKER}: check that its disk is mounted`,
      )
    else return false
    return true
  }

  /** Throws unless this is the right folder, or may become it. Returns whether it has its marker. */
  async function demand(): Promise<boolean> {
    if (isThere()) return true
    if ((await holdsFiles(folder)) || (await mayBegin())) return false
    throw new StorageDown(
      `The folder ${folder} holds none of the files that the database knows: check that its disk is mounted and that STORAGE_URL is right`,
    )
  }

  return {
    demand,
    /** The same, synchronously; `adopt` checks again. */
    demandAtOnce: (): void => void isThere(),
    /** The same before a write: creates a missing marker. */
    async begin(): Promise<void> {
      if (await demand()) return
      await makeFolder(folder)
      await mark(marker)
      await sync(folder)
      isSeen = true
    },
  }
}

/** Also true for an installation older than the marker. */
async function holdsFiles(folder: string): Promise<boolean> {
  for await (const _ of listFolder(folder, 'files/')) return true
  return false
}

async function mark(path: string): Promise<void> {
  const file = await open(path, 'w', 0o600)
  try {
    await file.writeFile(TEXT)
    await file.sync()
  } finally {
    await file.close()
  }
}
