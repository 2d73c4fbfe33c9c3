import { hashSecret } from '@/auth/secrets'
import { DAY_MS, now, nowMs } from '@/core/clock'
import { newId } from '@/core/ids'
import { db, type Tx } from '@/db/client'
import { transaction } from '@/db/transaction'
import type { Verdict } from '@/http/limits/limiter'
import { postTo } from '@/mail/post'
import { deleteWaitingFor } from '@/mail/queries'
import { mailboxKey } from '@/outbound/mail/send'
import type { Language } from '@/words/language'
import { hashCode, isCodeOf, isToken, LIFE_MS, newCode, newToken, signInLetter } from './letters'
import {
  chargeFailure,
  chargeTry,
  deleteMailsTo,
  findFailures,
  findMail,
  insertMail,
  type SignInMail,
  takeFailureBack,
  useMail,
  useUpOthers,
} from './queries'

const TRIES_MAX = 5

/** Neither looks the account up nor waits for the delivery, so the answer does not reveal whether an account exists. */
export async function sendSignInMail(email: string, returnTo: string, language: Language): Promise<void> {
  const [id, token, code] = [newId(), newToken(), newCode()]
  await transaction(async (tx) => {
    await insertMail(tx, {
      id,
      email,
      tokenHash: hashSecret(token),
      codeHash: hashCode(id, code),
      returnTo,
      expiresAt: new Date(nowMs() + LIFE_MS),
    })
    await postTo(tx, signInLetter, email, { fact: id, data: { token, code, language } })
  })
}

export const mailOfToken = async (token: string): Promise<SignInMail | undefined> =>
  isToken(token) ? findMail(db, hashSecret(token), now()) : undefined

export async function useToken(tx: Tx, token: string): Promise<SignInMail | undefined> {
  if (!isToken(token)) return undefined
  const used = await useMail(tx, { tokenHash: hashSecret(token) }, now())
  if (used) await useUpOthers(tx, used.email, now())
  return used
}

/**
 * Charges the attempt to each unexpired mail and to the daily limit, then compares the code. A wrong code returns undefined, since
 * throwing would roll the charge back. Throws before comparing if the daily limit is used up.
 */
export async function useCode(
  tx: Tx,
  email: string,
  code: string,
  refuse: (verdict: Verdict) => Error,
): Promise<SignInMail | undefined> {
  const mails = await chargeTry(tx, email, TRIES_MAX, now())
  if (mails.length === 0) return undefined
  const day = await chargeDay(tx, email)
  if (!day.allowed) throw refuse(day)
  // Compares all mails, so the time does not depend on which one matches.
  const matching = mails.filter((mail) => isCodeOf(mail, code))[0]
  if (matching) await forgiveDay(tx, email)
  const used = matching && (await useMail(tx, { id: matching.id }, now()))
  if (used) await useUpOthers(tx, email, now())
  return used
}

/** Deletes pending mail and sign-in secrets of an address: a deleted account must not come back by them. */
export async function forgetMailsTo(tx: Tx, email: string): Promise<void> {
  await deleteMailsTo(tx, email)
  await deleteWaitingFor(tx, email)
}

const FAILURES_PER_DAY = 30

/** The daily limit of wrong codes per mailbox, counted before the comparison, so that parallel guesses cannot exceed it. */
async function chargeDay(tx: Tx, email: string): Promise<Verdict> {
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

/** Refunds the charge: the code was right. */
const forgiveDay = (tx: Tx, email: string) => takeFailureBack(tx, mailboxKey(email))
