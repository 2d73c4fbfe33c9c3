import type { Administrator } from '@/core/caller'
import { now } from '@/core/clock'
import { newId } from '@/core/ids'
import type { Db, Tx } from './client'
import { auditLog, installation } from './tables/administration'

/** Records a verified backup, so that an alert can fire when the last one is old. */
export const recordBackup = (db: Db, at: Date) => db.update(installation).set({ backedUpAt: at }).execute()

export const findLastBackup = async (db: Db): Promise<Date | null> =>
  (await db.select({ at: installation.backedUpAt }).from(installation))[0]?.at ?? null

type Entry = {
  /** For example `user.update`. */
  action: string
  targetType: string
  targetId: string
  /** Ids and settings, never personal text: the log outlives the accounts in it. */
  changes?: Record<string, unknown>
}

/** Writes an audit row in the transaction of the admin action. */
export const audit = (
  tx: Tx,
  { userId, requestId, credential }: Administrator,
  { changes = {}, ...entry }: Entry,
) =>
  tx
    .insert(auditLog)
    .values({
      id: newId(),
      at: now(),
      actorId: credential.kind === 'operator' ? null : userId,
      ...entry,
      changes,
      requestId,
    })
    .execute()
