import { deleteEndedSessions } from '@/auth/queries'
import { now, nowMs } from '@/core/clock'
import { db } from '@/db/client'
import { deleteOldKeys } from '@/db/idempotency'
import { deleteOldFacts, deleteOldHeartbeats } from '@/db/reactions'

const DAY_MS = 24 * 60 * 60 * 1000
const ago = (ms: number) => new Date(nowMs() - ms)

/** Removes what has served its time. Safe to run twice, or late. */
export async function sweep(): Promise<void> {
  await deleteOldKeys(db, ago(DAY_MS))
  await deleteOldFacts(db, ago(7 * DAY_MS))
  await deleteEndedSessions(db, now())
  await deleteOldHeartbeats(db, ago(DAY_MS))
}
