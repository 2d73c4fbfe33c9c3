import { DAY_MS } from '@/core/clock'
import { rateLimited } from '@/core/errors'
import { chargeAll } from '@/http/limits/hourly'
import { secondsLeft } from '@/http/limits/limiter'
import { mailboxKey } from '@/outbound/mail/mailbox-key'

/** Anybody may name any mailbox, so one person has a small part of what all have together. */
const PER_DAY = { ofPerson: 5, toMailbox: 25 }

/** Counts a question by what was asked for, not by what was found: known and unknown addresses are alike. */
export async function chargeQuestion(userId: string, newEmail: string): Promise<void> {
  const mailbox = Buffer.from(mailboxKey(newEmail)).toString('hex')
  const { verdict } = await chargeAll([
    { key: `address-changes-of:${userId}`, limit: PER_DAY.ofPerson, windowMs: DAY_MS },
    { key: `address-changes-to:${mailbox}`, limit: PER_DAY.toMailbox, windowMs: DAY_MS },
  ])
  if (!verdict.allowed) throw rateLimited(secondsLeft(verdict))
}
