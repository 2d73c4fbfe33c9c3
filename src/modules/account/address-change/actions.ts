import { Type } from '@sinclair/typebox'
import { explainEnded } from '@/auth/ended-credential'
import { action } from '@/core/action'
import { DAY_MS, now, nowMs } from '@/core/clock'
import { badRequest, conflict, forbidden, rateLimited, unauthorized } from '@/core/errors'
import { newId } from '@/core/ids'
import { Success } from '@/core/page'
import { refusals } from '@/core/refusals'
import { iso, orNull, wireTime } from '@/core/shapes'
import { type Db, db, type Tx } from '@/db/client'
import { transaction } from '@/db/transaction'
import { charge } from '@/http/limits/hourly'
import { type Budget, secondsLeft } from '@/http/limits/limiter'
import { postTo } from '@/mail/post'
import { mailAddress } from '@/modules/access/sign-in/addresses'
import { lockUsers } from '@/modules/people/users/queries'
import { canSendMail, mailboxKey } from '@/outbound/mail/send'
import { confirmLetter, noticeLetter } from './letters'
import { CONFIRM_MS, FRESH_MS, hashesOf, UNDO_MS } from './links'
import { beganAt, findAsked, insertChange, replaceRequest, takeBack } from './queries'

export const changeEmail = action({
  name: 'changeEmail',
  access: 'session',
  summary: 'Request a change of your email address',
  description:
    'Sends a link to the new address. Nothing changes until this account confirms it in a signed-in browser. ' +
    'All other sessions, tokens and grants end then. A notice goes to the ' +
    'old address, which can undo the change for seven days. The response is the same whether or not the new ' +
    'address already has an account. Signing out of the requesting session cancels the request.',
  input: Type.Object({ email: mailAddress() }),
  output: Success,
  errors: ['conflict'],
  run: async ({ userId, credential }, input) => {
    if (!canSendMail()) throw conflict(refusals.noMail)
    const newEmail = input.email.toLowerCase()
    await chargeRequest(userId)
    const isMailed = await mayMail(userId, newEmail)
    await transaction(async (tx) => {
      const [person] = await lockUsers(tx, [userId])
      if (!person) throw unauthorized(true)
      if (person.email?.toLowerCase() === newEmail) throw badRequest(refusals.sameAddress)
      // No mailbox to warn: the finder of an open session must not be able to take over the account.
      if (person.email === null && !(await isFresh(tx, credential.id))) throw forbidden(refusals.signInAgain)
      const changeId = await ask(tx, { userId, oldEmail: person.email, newEmail, sessionId: credential.id })
      // Notifies the old address of each request, including a replaced one.
      const letterTerms = { fact: newId(), data: { changeId }, reader: userId }
      if (isMailed) await postTo(tx, confirmLetter, newEmail, letterTerms)
      if (person.email !== null) await postTo(tx, noticeLetter, person.email, letterTerms)
    })
    return { success: true as const }
  },
})

type ChangeRequest = { userId: string; oldEmail: string | null; newEmail: string; sessionId: string }

async function ask(tx: Tx, { userId, oldEmail, newEmail, sessionId }: ChangeRequest): Promise<string> {
  const asked = await findAsked(tx, userId)
  const id = asked?.id ?? newId()
  const expiresAt = new Date(nowMs() + CONFIRM_MS)
  const terms = { newEmail, sessionId, expiresAt, undoUntil: new Date(expiresAt.getTime() + UNDO_MS) }
  const hashes = hashesOf({ id, newEmail })
  const written = asked
    ? replaceRequest(tx, id, { ...terms, confirmHash: hashes.confirmHash })
    : insertChange(tx, { id, userId, oldEmail, createdAt: now(), ...terms, ...hashes })
  await written.catch(explainEnded)
  return id
}

async function isFresh(db: Db | Tx, sessionId: string): Promise<boolean> {
  const at = await beganAt(db, sessionId)
  return at !== undefined && at.getTime() >= nowMs() - FRESH_MS
}

export const readEmailChange = action({
  name: 'readEmailChange',
  access: 'session',
  summary: 'Read the pending change of your email address',
  input: Type.Object({}),
  output: Type.Object({
    asked: orNull(Type.Object({ email: Type.String(), expiresAt: wireTime() })),
    /** Whether the sign-in is recent enough for an account without an address. */
    isFresh: Type.Boolean(),
  }),
  run: async ({ userId, credential }) => {
    const change = await findAsked(db, userId)
    const isOpen = change !== undefined && change.sessionId !== null && change.expiresAt > now()
    return {
      asked: isOpen ? { email: change.newEmail, expiresAt: iso(change.expiresAt) } : null,
      isFresh: await isFresh(db, credential.id),
    }
  },
})

export const takeBackEmailChange = action({
  name: 'takeBackEmailChange',
  access: 'session',
  summary: 'Cancel the pending change of your email address',
  input: Type.Object({}),
  output: Success,
  run: ({ userId }) =>
    transaction(async (tx) => {
      await lockUsers(tx, [userId])
      await takeBack(tx, userId)
      return { success: true as const }
    }),
})

const PER_DAY = { ofPerson: 5, ofPersonToMailbox: 1, toMailbox: 10 }

/** Rate-limits requests per person only: the first requester must not block others. */
async function chargeRequest(userId: string): Promise<void> {
  const verdict = await charge(daily(`address-changes-of:${userId}`, PER_DAY.ofPerson), 1)
  if (!verdict.allowed) throw rateLimited(secondsLeft(verdict))
}

/**
 * Whether to mail the new address, which may belong to anyone. A person's first request always is, so that others cannot block
 * the owner; later ones share a few, because the first link stays valid. Counts requests, not accounts, so that known and unknown
 * addresses behave alike.
 */
async function mayMail(userId: string, newEmail: string): Promise<boolean> {
  const mailbox = Buffer.from(mailboxKey(newEmail)).toString('hex')
  const first = await charge(daily(`address-mails-of-to:${userId} ${mailbox}`, PER_DAY.ofPersonToMailbox), 1)
  const further = await charge(daily(`address-mails-to:${mailbox}`, PER_DAY.toMailbox), 1)
  return first.allowed || further.allowed
}

const daily = (key: string, limit: number): Budget => ({ key, limit, windowMs: DAY_MS })
