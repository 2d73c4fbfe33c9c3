import { ago } from '@/core/clock'
import { db } from '@/db/client'
import { storage } from '@/outbound/storage/current'
import { idOf } from '@/outbound/storage/object-names'
import { findUploadsNaming } from '../doctor/queries'
import { objectsOf } from '../objects'

const HOUR_MS = 60 * 60_000
const AT_ONCE = 500

/**
 * Removes objects that no row names: a process died between storing them and saying so. Whatever is younger than an hour
 * may still be on its way.
 */
export async function removeNobodys(prefix: '' | 'incoming/' = ''): Promise<void> {
  const before = ago(HOUR_MS)
  let names: string[] = []
  for await (const { name, modifiedAt } of storage.list(prefix)) {
    if (modifiedAt >= before) continue
    names.push(name)
    if (names.length < AT_ONCE) continue
    await removeUnnamed(names)
    names = []
  }
  await removeUnnamed(names)
}

async function removeUnnamed(names: string[]): Promise<void> {
  if (names.length === 0) return
  const rows = await findUploadsNaming(db, [...new Set(names.map(idOf))])
  const named = new Set(rows.flatMap(objectsOf))
  for (const name of names) if (!named.has(name)) await storage.remove(name)
}
