import { now } from '@/core/clock'
import { FIRST_ID } from '@/core/ids'
import { warnSparingly } from '@/core/log'
import { reasonOf } from '@/core/reason'
import { db } from '@/db/client'
import { storage } from '@/outbound/storage/current'
import { sheetName } from '../object'
import { deleteEnded, listEnded } from './queries'

const AT_ONCE = 100

/** Removes objects of ended sheets, then their rows. Idempotent and safe to run concurrently. */
export async function finishRemovals(): Promise<void> {
  for (let last = FIRST_ID, found = AT_ONCE; found === AT_ONCE; ) {
    const rows = await listEnded(db, last, now(), AT_ONCE)
    found = rows.length
    for (const row of rows) {
      last = row.id
      try {
        if (row.file !== null) await storage.remove(sheetName(row.file))
        await deleteEnded(db, row)
      } catch (error) {
        warnSparingly('pass-sheets: a sheet cannot be removed for now', reasonOf(error))
      }
    }
  }
}
