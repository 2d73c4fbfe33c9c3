import { now, nowMs } from '@/core/clock'
import { failpoint } from '@/core/failpoint'
import { log } from '@/core/log'
import { counters } from '@/core/metrics'
import { reasonOf } from '@/core/reason'
import { queueDb } from '@/db/client'
import { retriedThroughOutage } from '@/db/transaction'
import { holding } from '@/delivery/holding'
import { failureOf, replyOf } from '@/outbound/mail/failure'
import { handOver } from '@/outbound/mail/send'
import { type Composed, compose } from './compose'
import { keep } from './kept'
import { type Letter, URGENCY } from './letter'
import { claimMails, finishMail, type MailLane, type MailRow, postponeMail } from './queries'
import { noteRefusal } from './refusing-mailboxes'

const MINUTE_MS = 60_000
/** Retry delays by attempt; the last applies to all further ones. Greylisting servers require some minutes. */
const WAITS_MS = [1, 5, 15, 60, 120, 240].map((minutes) => minutes * MINUTE_MS)
/** Retry delays for awaited letters are short. */
const AWAITED_WAITS_MS = [2_000, 10_000, 30_000, MINUTE_MS, 3 * MINUTE_MS]

const handed = counters(
  'folkmoot_mails_handed_over_total',
  'Letters handed to the mail server: accepted, deferred, or refused for good.',
  'outcome',
  ['sent', 'later', 'refused'],
)

/** Leases due letters of a lane. */
export const takeMails = (limit: number, lane: MailLane): Promise<MailRow[]> =>
  claimMails(queueDb, { at: now(), until: leaseEnd(), limit, lane })

/** Sends a leased letter and records the outcome. Returns false if the mail server is down. */
export async function sendTaken(letters: ReadonlyMap<string, Letter>, row: MailRow): Promise<boolean> {
  const letter = letters.get(row.letter)
  if (letter === undefined) {
    // A newer release writes letters that this one does not know: its own workers send them.
    await postponeMail(queueDb, row, new Date(nowMs() + MINUTE_MS))
    return true
  }
  if (row.expiresAt.getTime() <= nowMs()) {
    log.warn('mail: expired', { mail: row.id, letter: row.letter, attempts: row.attempts - 1 })
    await finishMail(queueDb, row, 'expired', now())
    return true
  }
  let mail: Composed | undefined
  try {
    // A mail server may be slow to answer.
    const renew = () => postponeMail(queueDb, row, leaseEnd())
    await holding({ everyMs: LEASE_MS / 4, renew }, async () => {
      mail = await compose(letter, row)
      if (typeof mail !== 'string') await handOver(mail, { isAwaited: row.urgency === URGENCY.awaited, keep })
    })
  } catch (error) {
    return fail(row, typeof mail === 'object' ? mail.to : null, error)
  }
  if (typeof mail !== 'string') handed.sent.value += 1
  failpoint('after-mail')
  // Retries through a database outage: a letter that is not marked as sent would be sent again.
  const outcome = typeof mail === 'string' ? mail : 'sent'
  await retriedThroughOutage(() => finishMail(queueDb, row, outcome, now()))
  return true
}

/** Returns whether the mail server serves other letters. */
async function fail(row: MailRow, to: string | null, error: unknown): Promise<boolean> {
  const failure = to === null ? 'later' : failureOf(error)
  const said = {
    mail: row.id,
    letter: row.letter,
    attempts: row.attempts,
    ...reasonOf(error),
    reply: replyOf(error),
  }
  const isForGood = failure === 'no-mailbox' || failure === 'refused'
  handed[isForGood ? 'refused' : 'later'].value += 1
  if (isForGood) {
    if (failure === 'no-mailbox') await noteRefusal(to as string)
    await finishMail(queueDb, row, 'refused', now())
    log.warn('mail: refused for good', said)
    return true
  }
  // An outage is not the letter's fault: it is due again as soon as the server answers.
  await postponeMail(queueDb, row, failure === 'away' ? now() : new Date(nowMs() + waitAfter(row)))
  log.warn('mail: will be tried again', said)
  return failure !== 'away'
}

function waitAfter({ urgency, attempts }: MailRow): number {
  const waits = urgency === URGENCY.awaited ? AWAITED_WAITS_MS : WAITS_MS
  return waits[Math.min(attempts, waits.length) - 1] as number
}

/** After this time without a renewal another process may take the letter. */
const LEASE_MS = 60_000

const leaseEnd = () => new Date(nowMs() + LEASE_MS)
