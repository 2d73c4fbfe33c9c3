import { ago, DAY_MS } from '@/core/clock'
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

/*
 * Connections of queues go by indexes, whatever the planner knows: a table that was just migrated has no figures about
 * expressions, and would be read from one end to the other.
 */

/** How long a file stays that nothing points at. */
export const UNUSED_MS = DAY_MS

/** Notes since when nothing points at a file, and takes the note back where something does again. */
export async function noteUnused(places: PicturePlace[]): Promise<void> {
  for (let after = NOBODY, found = SLICE; found === SLICE; ) {
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
 * Removes files that nothing has pointed at for a day. Each is held while the places are looked through once more, and
 * whoever uses a file holds it as well: none is taken away while it comes into use.
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

const NOBODY = '00000000-0000-0000-0000-000000000000'
