import { now } from '@/core/clock'
import { warnSparingly } from '@/core/log'
import { reasonOf } from '@/core/reason'
import { db } from '@/db/client'
import { storage } from '@/outbound/storage/current'
import { exportName } from './object'
import { deleteEnded, listEnded } from './queries'

const AT_ONCE = 100
const FIRST = '00000000-0000-0000-0000-000000000000'

/** Takes the objects of exports that have ended out of the storage, and then their rows. It may run twice, or beside another. */
export async function finishRemovals(): Promise<void> {
  for (let last = FIRST, found = AT_ONCE; found === AT_ONCE; ) {
    const rows = await listEnded(db, last, now(), AT_ONCE)
    found = rows.length
    for (const row of rows) {
      last = row.id
      try {
        if (row.file !== null) await storage.remove(exportName(row.file))
        await deleteEnded(db, row)
      } catch (error) {
        warnSparingly('privacy: an export cannot be removed for now', reasonOf(error))
      }
    }
  }
}
