import { now } from '@/core/clock'
import { warnSparingly } from '@/core/log'
import { reasonOf } from '@/core/reason'
import { db } from '@/db/client'
import { storage } from '@/outbound/storage/current'
import { exportName } from './object'
import { deleteEnded, listEnded } from './queries'

const AT_ONCE = 100
const FIRST = '00000000-0000-0000-0000-000000000000'

/** Deletes the objects of ended exports, then their rows. Idempotent and safe to run concurrently. */
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
