import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { idOf, isObjectName, KINDS } from '../object-names'
import type { StoredObject } from '../storage'
import { guarded, isMissing } from './failures'
import { undefinedIfMissing } from './scratch'

/** The objects in a folder; files that are no objects of ours are passed over. */
export async function* listFolder(root: string, prefix: string): AsyncGenerator<StoredObject> {
  for (const kind of KINDS) {
    if (!`${kind}/`.startsWith(prefix.slice(0, kind.length + 1))) continue
    const ending = prefix.length > kind.length + 1 ? idOf(prefix).slice(-2) : undefined
    for (const part of ending ? [ending] : await namesIn(join(root, kind)))
      for (const file of await namesIn(join(root, kind, part))) {
        const name = `${kind}/${file}`
        if (!name.startsWith(prefix) || !isObjectName(name) || idOf(name).slice(-2) !== part) continue
        const found = await guarded(() => stat(join(root, kind, part, file)).catch(undefinedIfMissing))
        if (found?.isFile()) yield { name, size: found.size, modifiedAt: found.mtime }
      }
  }
}

const namesIn = (folder: string): Promise<string[]> =>
  guarded(() =>
    readdir(folder).catch((error) => {
      if (isMissing(error) || error.code === 'ENOTDIR') return []
      throw error
    }),
  )
