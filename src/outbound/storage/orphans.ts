import { ago } from '@/core/clock'
import { LEFTOVER_MS } from './area'
import { storage } from './current'
import { idOf, type KINDS } from './object-names'

const AT_ONCE = 500

/** The names of objects that rows with these ids refer to. */
type Named = (ids: string[]) => Promise<string[]>

/**
 * Deletes orphaned objects, left by a process that died between storing and committing. Objects younger than an hour may still
 * get their row.
 */
export async function removeOrphans(prefix: `${(typeof KINDS)[number]}/`, named: Named): Promise<void> {
  const before = ago(LEFTOVER_MS)
  let names: string[] = []
  for await (const { name, modifiedAt } of storage.list(prefix)) {
    if (modifiedAt >= before) continue
    names.push(name)
    if (names.length < AT_ONCE) continue
    await removeAmong(names, named)
    names = []
  }
  await removeAmong(names, named)
}

async function removeAmong(names: string[], named: Named): Promise<void> {
  if (names.length === 0) return
  const known = new Set(await named([...new Set(names.map(idOf))]))
  for (const name of names) if (!known.has(name)) await storage.remove(name)
}
