import { failpoint } from '@/core/failpoint'
import { warnSparingly } from '@/core/log'
import { reasonOf } from '@/core/reason'
import { db } from '@/db/client'
import { storage } from '@/outbound/storage/current'
import { objectsOf } from '../objects'
import { deleteRemoved, listRemoved } from './queries'

const AT_ONCE = 100

/** Takes the objects of removed files out of the storage, and then their rows. It may run twice, or beside another. */
export async function finishRemovals(): Promise<void> {
  for (let last = { changedAt: new Date(0), id: NOBODY }, found = AT_ONCE; found === AT_ONCE; ) {
    const rows = await listRemoved(db, last, AT_ONCE)
    found = rows.length
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

const NOBODY = '00000000-0000-0000-0000-000000000000'
