import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Leftover } from '../storage'
import { makeFolderAtOnce } from './durable'
import { asStorageFailure, guarded, isMissing } from './write'

export function scratchFolder(folder: string) {
  return {
    scratch(): string {
      try {
        makeFolderAtOnce(folder)
      } catch (error) {
        throw asStorageFailure(error)
      }
      return join(folder, crypto.randomUUID())
    },
    leftovers: (before: Date): Promise<Leftover[]> => guarded(() => olderThan(folder, before)),
  }
}

async function olderThan(folder: string, before: Date): Promise<Leftover[]> {
  const found: Leftover[] = []
  for (const name of await readdir(folder).catch(noneIfMissing)) {
    const path = join(folder, name)
    const { size, mtime } = (await stat(path).catch(undefinedIfMissing)) ?? {}
    if (size !== undefined && mtime !== undefined && mtime < before)
      found.push({ path, size, modifiedAt: mtime })
  }
  return found
}

function noneIfMissing(error: unknown): string[] {
  if (isMissing(error)) return []
  throw error
}

export function undefinedIfMissing(error: unknown): undefined {
  if (!isMissing(error)) throw error
}
