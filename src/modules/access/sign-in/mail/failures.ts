import { now, nowMs } from '@/core/clock'
import type { Tx } from '@/db/client'
import type { Verdict } from '@/http/limits/limiter'
import { mailboxKey } from '@/outbound/mail/mailbox-key'
import { chargeFailure, findFailures, takeFailureBack } from './queries'

const FAILURES_PER_DAY = 30
const DAY_MS = 24 * 60 * 60 * 1000

/** Charges a failure before the code is compared: so many a day for a mailbox, over all its mails and all processes. */
export async function chargeDay(tx: Tx, email: string): Promise<Verdict> {
  const mailbox = mailboxKey(email)
  const endsAt = new Date(nowMs() + DAY_MS)
  const charged = await chargeFailure(tx, { mailbox, endsAt }, FAILURES_PER_DAY, now())
  const row = charged ?? (await findFailures(tx, mailbox))
  return {
    allowed: charged !== undefined,
    limit: FAILURES_PER_DAY,
    remaining: FAILURES_PER_DAY - (row?.failures ?? FAILURES_PER_DAY),
    resetAtMs: (row?.endsAt ?? endsAt).getTime(),
  }
}

/** Takes the charge back: the code was right. */
export const forgiveDay = (tx: Tx, email: string) => takeFailureBack(tx, mailboxKey(email))
