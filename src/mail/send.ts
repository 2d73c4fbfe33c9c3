import { now, nowMs } from '@/core/clock'
import { failpoint } from '@/core/failpoint'
import { log } from '@/core/log'
import { reasonOf } from '@/core/reason'
import { queueDb } from '@/db/client'
import { mailboxKey } from '@/outbound/mail/mailbox-key'
import { handOver, isRefusedForGood } from '@/outbound/mail/send'
import { compose } from './compose'
import { keep } from './kept'
import { type Letter, URGENCY } from './letter'
import { claimMails, finishMail, type MailRow, noteRefusal, postponeMail } from './queries'

/** Longer than a mail server is given to answer. */
const LEASE_MS = 90_000
const MINUTE_MS = 60_000
/** How long to wait after each failure; the last holds for all that come. Servers that greylist want some minutes. */
const WAITS_MS = [1, 5, 15, 60, 120, 240].map((minutes) => minutes * MINUTE_MS)
/** Somebody sits and waits for it. */
const AWAITED_WAITS_MS = [2_000, 10_000, 30_000, MINUTE_MS, 3 * MINUTE_MS]

/** Takes letters that are due, at most so many. */
export const takeMails = (limit: number, isAwaited: boolean): Promise<MailRow[]> =>
  claimMails(queueDb, { at: now(), until: new Date(nowMs() + LEASE_MS), limit, isAwaited })

/** Sends one that was taken, and writes down what came of it. */
export async function sendTaken(letters: ReadonlyMap<string, Letter>, row: MailRow): Promise<void> {
  const letter = letters.get(row.letter)
  // A newer release writes letters that this one does not know: its own workers send them.
  if (letter === undefined) return void (await postponeMail(queueDb, row, new Date(nowMs() + MINUTE_MS)))
  if (row.expiresAt.getTime() <= nowMs()) {
    log.warn('mail: given up', { mail: row.id, letter: row.letter, attempts: row.attempts - 1 })
    return void (await finishMail(queueDb, row, 'expired', now()))
  }
  try {
    const mail = await compose(letter, row)
    if (typeof mail === 'string') return void (await finishMail(queueDb, row, mail, now()))
    await handOver(mail, { isAwaited: row.urgency === URGENCY.awaited, keep })
    failpoint('after-mail')
    await finishMail(queueDb, row, 'sent', now())
  } catch (error) {
    await fail(row, error)
  }
}

async function fail(row: MailRow, error: unknown): Promise<void> {
  const said = { mail: row.id, letter: row.letter, attempts: row.attempts, ...reasonOf(error) }
  if (isRefusedForGood(error)) {
    const to = (error as { to?: string }).to
    if (to !== undefined) await noteRefusal(queueDb, mailboxKey(to.toLowerCase()), now())
    await finishMail(queueDb, row, 'refused', now())
    return void log.warn('mail: refused for good', said)
  }
  const waits = row.urgency === URGENCY.awaited ? AWAITED_WAITS_MS : WAITS_MS
  const wait = waits[Math.min(row.attempts, waits.length) - 1] as number
  await postponeMail(queueDb, row, new Date(nowMs() + wait))
  log.warn('mail: will be tried again', said)
}
