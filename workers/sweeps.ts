import { deleteEndedSessions } from '@/auth/queries'
import { now, nowMs } from '@/core/clock'
import { log } from '@/core/log'
import { reasonOf } from '@/core/reason'
import { db } from '@/db/client'
import { deleteOldKeys } from '@/db/idempotency'
import { deleteOldHeartbeats } from '@/jobs/queries'
import { removeUnusedClients } from '@/modules/access/oauth/client-registration/unused'
import { sweepTokens } from '@/modules/access/oauth/sweep'
import { deleteOldFailures, deleteOldSignInMails } from '@/modules/access/sign-in/mail/queries'
import { deleteOldLoginStates } from '@/modules/access/sign-in/providers/queries'
import { deleteOldMessages } from '@/modules/developers/webhooks/deliveries/queries'
import { deletePastRules } from '@/modules/developers/webhooks/queries'
import { countAroundAll } from '@/modules/people/users/follower-counts/count'
import { deleteChangesBefore } from '@/modules/recognition/leaderboards/snapshots/queries'
import { deleteOldEvents } from '@/outbox/queries'
import { deleteOldSequences } from '@/outbox/sequences'

const DAY_MS = 24 * 60 * 60 * 1000
const ago = (ms: number) => new Date(nowMs() - ms)

export const PARTS: Record<string, () => Promise<unknown>> = {
  keys: () => deleteOldKeys(db, ago(DAY_MS)),
  events: () => deleteOldEvents(db, ago(7 * DAY_MS)),
  sequences: () => deleteOldSequences(db, ago(DAY_MS)),
  sessions: () => deleteEndedSessions(db, now()),
  'sign-in mails': () => deleteOldSignInMails(db, now()),
  'sign-in failures': () => deleteOldFailures(db, now()),
  'sign-in errands': () => deleteOldLoginStates(db, now()),
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
