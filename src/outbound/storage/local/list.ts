import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { idOf, isObjectName, KINDS } from '../object-names'
import type { OnStray, StoredObject } from '../storage'
import { guarded, isMissing } from './failures'
import { undefinedIfMissing } from './scratch'

/** The file by which a folder is known to be the right one. */
export const MARKER = '.folkmoot-storage'

/** What may be in the root: our own, and what a file system has in its own. */
const IN_ROOT = new Set<string>([...KINDS, 'scratch', MARKER, 'lost+found'])

/** The objects in a folder; files that are no objects of ours are passed over. */
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
