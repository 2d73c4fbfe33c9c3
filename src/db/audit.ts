import type { Administrator } from '@/core/caller'
import { now } from '@/core/clock'
import { newId } from '@/core/ids'
import type { Tx } from './client'
import { auditLog } from './tables/administration'

type Entry = {
  /** What was done, such as `user.update`. */
  action: string
  targetType: string
  targetId: string
  /** Ids and settings, never what a person wrote: the log outlives the people in it. */
  changes?: Record<string, unknown>
}

/** Writes down what an administrator does, in the transaction in which it is done. */
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
