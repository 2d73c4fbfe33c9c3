import type { Administrator } from '@/core/caller'
import { now } from '@/core/clock'
import { newId } from '@/core/ids'
import type { Tx } from './client'
import { auditLog } from './tables/administration'

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
