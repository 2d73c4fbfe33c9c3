import { ago, DAY_MS } from '@/core/clock'
import { FIRST_ID } from '@/core/ids'
import { queueDb } from '@/db/client'
import { SLICE } from '@/db/delete-in-slices'
import { transaction } from '@/db/transaction'
import { emitAll } from '@/outbox/emit'
import {
  listForUse,
  lockUnused,
  markRemovedById,
  markUnused,
  markUsed,
  type PicturePlace,
  usedKeys,
} from './queries'

/**
 * Queue connections disable sequential scans: after a migration, a table has no statistics on expressions and would be scanned
 * whole.
 */

/** Grace period for unused files. */
export const UNUSED_MS = DAY_MS

/** Records since when a file is unused; clears that when it is used again. */
export async function noteUnused(places: PicturePlace[]): Promise<void> {
  for (let after = FIRST_ID, found = SLICE; found === SLICE; ) {
    const files = await listForUse(queueDb, after, SLICE)
    found = files.length
    after = files.at(-1)?.id ?? after
    const used = await usedKeys(
      queueDb,
      places,
      files.map(({ key }) => key),
    )
    const changed = files.filter(({ key, unusedSince }) => used.has(key) !== (unusedSince === null))
    await markUsed(queueDb, idsOf(changed.filter(({ key }) => used.has(key))))
    await markUnused(queueDb, idsOf(changed.filter(({ key }) => !used.has(key))))
  }
}

/**
 * Removes files unused for a day. Each is locked while the references are checked again; using a file takes the same lock, so none
 * is removed while it is put to use.
 */
export async function removeUnused(places: PicturePlace[]): Promise<void> {
  for (let found = SLICE; found === SLICE; )
    found = await transaction(async (tx) => {
      const files = await lockUnused(tx, ago(UNUSED_MS), SLICE)
      const used = await usedKeys(
        tx,
        places,
        files.map(({ key }) => key),
      )
      const unused = files.filter(({ key }) => !used.has(key))
      await markUsed(tx, idsOf(files.filter(({ key }) => used.has(key))))
      await markRemovedById(tx, idsOf(unused))
      await emitAll(
        tx,
        'upload.deleted',
        unused.flatMap(({ key, ownerId }) => (ownerId === null ? [] : [{ userId: ownerId, key }])),
      )
      return files.length
    }, queueDb)
}

const idsOf = (files: { id: string }[]) => files.map(({ id }) => id)
