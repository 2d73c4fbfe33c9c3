import { failpoint } from '@/core/failpoint'
import { FIRST_ID } from '@/core/ids'
import { warnSparingly } from '@/core/log'
import { reasonOf } from '@/core/reason'
import { db, queueDb } from '@/db/client'
import { transaction } from '@/db/transaction'
import { storage } from '@/outbound/storage/current'
import { objectsOf } from '../key'
import { emptyPlace, type PicturePlace } from '../uses/queries'
import { deleteRemoved, listRemoved } from './queries'

const AT_ONCE = 100

/**
 * Clears references to removed files, removes their objects, and deletes their rows last. Idempotent and safe to run concurrently.
 * Files of deleted users are found by their rows alone, because no domain event lists them.
 */
export async function finishRemovals(places: PicturePlace[]): Promise<void> {
  for (let last = { changedAt: new Date(0), id: FIRST_ID }, found = AT_ONCE; found === AT_ONCE; ) {
    const rows = await listRemoved(db, last, AT_ONCE)
    found = rows.length
    if (found > 0)
      await clearReferences(
        places,
        rows.map(({ key }) => key),
      )
    for (const row of rows) {
      last = row
      try {
        for (const name of objectsOf(row)) await storage.remove(name)
        failpoint('after-removal')
        await deleteRemoved(db, row.id)
      } catch (error) {
        warnSparingly('uploads: a file cannot be removed for now', reasonOf(error))
      }
    }
  }
}

const clearReferences = (places: PicturePlace[], keys: string[]) =>
  transaction(async (tx) => {
    for (const place of places) await emptyPlace(tx, place, keys)
  }, queueDb)
