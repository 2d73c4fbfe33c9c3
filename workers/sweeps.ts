import { deleteEndedSessions } from '@/auth/queries'
import { now, nowMs } from '@/core/clock'
import { reasonOf } from '@/core/reason'
import { db } from '@/db/client'
import { deleteOldKeys } from '@/db/idempotency'
import { deleteOldFacts, deleteOldHeartbeats } from '@/db/reactions'
import { deleteOldSequences } from '@/db/sequences'
import { log } from '@/log'
import { deleteChangesBefore } from '@/modules/leaderboards/snapshots/queries'
import { sweepTokens } from '@/modules/oauth/sweep'
import { removeUnusedClients } from '@/modules/registration/unused'
import { deleteOldFailures, deleteOldSignInMails } from '@/modules/sign-in/mail/queries'
import { deleteOldErrands } from '@/modules/sign-in/providers/queries'
import { countAroundAll } from '@/modules/users/around/count'
import { deleteOldMessages } from '@/modules/webhooks/deliveries/queries'
import { deletePastRules } from '@/modules/webhooks/queries'

const DAY_MS = 24 * 60 * 60 * 1000
const ago = (ms: number) => new Date(nowMs() - ms)

export const PARTS: Record<string, () => Promise<unknown>> = {
  keys: () => deleteOldKeys(db, ago(DAY_MS)),
  facts: () => deleteOldFacts(db, ago(7 * DAY_MS)),
  sequences: () => deleteOldSequences(db, ago(DAY_MS)),
  sessions: () => deleteEndedSessions(db, now()),
  'sign-in mails': () => deleteOldSignInMails(db, now()),
  'sign-in failures': () => deleteOldFailures(db, now()),
  'sign-in errands': () => deleteOldErrands(db, now()),
  heartbeats: () => deleteOldHeartbeats(db, ago(DAY_MS)),
  // Boards of the last month can be drawn again; nobody asks for older ones.
  scores: () => deleteChangesBefore(db, ago(40 * DAY_MS)),
  tokens: sweepTokens,
  messages: () => deleteOldMessages(db, ago(30 * DAY_MS)),
  'past rules': () => deletePastRules(db),
  clients: removeUnusedClients,
  followers: countAroundAll,
}

/** Removes what has served its time. Safe to run twice, or late; a part that fails keeps the others from nothing. */
export async function sweep(): Promise<void> {
  for (const [part, run] of Object.entries(PARTS))
    await run().catch((error: Error) => log.warn('sweep failed', { part, ...reasonOf(error) }))
}
