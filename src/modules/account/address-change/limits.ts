import { DAY_MS } from '@/core/clock'
import { rateLimited } from '@/core/errors'
import { charge } from '@/http/limits/hourly'
import { type Budget, secondsLeft } from '@/http/limits/limiter'
import { mailboxKey } from '@/outbound/mail/mailbox-key'

const PER_DAY = { ofPerson: 5, ofPersonToMailbox: 1, toMailbox: 10 }

/** Counts a question of a person. No question of another is counted here: whoever asks first must not stop them. */
export async function chargeQuestion(userId: string): Promise<void> {
  const verdict = await charge(daily(`address-changes-of:${userId}`, PER_DAY.ofPerson), 1)
  if (!verdict.allowed) throw rateLimited(secondsLeft(verdict))
}

/**
 * Whether a question is written of to the mailbox that it names, which may be anybody's. The first of a person always
 * is, so that nobody keeps its owner from it; all others share a few, for the link of the first goes on to work.
 * Counted by what was asked for, not by what was found: known and unknown addresses are alike.
 */
export async function isWrittenOf(userId: string, newEmail: string): Promise<boolean> {
  const mailbox = Buffer.from(mailboxKey(newEmail)).toString('hex')
  const first = await charge(daily(`address-mails-of-to:${userId} ${mailbox}`, PER_DAY.ofPersonToMailbox), 1)
  const further = await charge(daily(`address-mails-to:${mailbox}`, PER_DAY.toMailbox), 1)
  return first.allowed || further.allowed
}

const daily = (key: string, limit: number): Budget => ({ key, limit, windowMs: DAY_MS })
