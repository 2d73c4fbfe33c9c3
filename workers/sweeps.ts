import { deleteEndedSessions } from '@/auth/queries'
import { now, nowMs } from '@/core/clock'
import { db } from '@/db/client'
import { deleteOldKeys } from '@/db/idempotency'
import { deleteOldFacts, deleteOldHeartbeats } from '@/db/reactions'
import { deleteChangesBefore } from '@/modules/leaderboards/snapshots/queries'
import { sweepTokens } from '@/modules/oauth/sweep'
import { removeUnusedClients } from '@/modules/registration/unused'
import { deleteOldSignInMails } from '@/modules/sign-in/mail/queries'
import { deleteOldMessages } from '@/modules/webhooks/deliveries/queries'

const DAY_MS = 24 * 60 * 60 * 1000
const ago = (ms: number) => new Date(nowMs() - ms)

/** Removes what has served its time. Safe to run twice, or late. */
export async function sweep(): Promise<void> {
  await deleteOldKeys(db, ago(DAY_MS))
  await deleteOldFacts(db, ago(7 * DAY_MS))
  await deleteEndedSessions(db, now())
  await deleteOldSignInMails(db, now())
  await deleteOldHeartbeats(db, ago(DAY_MS))
  // Boards of the last month can be drawn again; nobody asks for older ones.
  await deleteChangesBefore(db, ago(40 * DAY_MS))
  await sweepTokens()
  await deleteOldMessages(db, ago(30 * DAY_MS))
  await removeUnusedClients()
}
