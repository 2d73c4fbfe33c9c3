import { timingSafeEqual } from 'node:crypto'
import { config } from '@/config/config'
import { now } from '@/core/clock'
import { isMailKind, type MailKind } from '@/core/mail-kinds'
import { type Db, db, queueDb, type Tx } from '@/db/client'
import { mailboxKey } from '@/outbound/mail/send'
import { deleteRefusal, hasRefusal, upsertRefusal } from './recipient-queries'

/** Records a mailbox that does not exist. Until it shows activity, only awaited letters are sent to it. */
export const noteRefusal = (email: string) => upsertRefusal(queueDb, keyOf(email), now())

export const isRefusing = (email: string): Promise<boolean> => hasRefusal(db, keyOf(email))

/** A reader opened a link from a mail, so the mailbox exists. */
export const forgetRefusal = (tx: Tx | Db, email: string) => deleteRefusal(tx, keyOf(email))

const keyOf = (email: string) => mailboxKey(email.toLowerCase())

/** The kind of mail that an unsubscribe link switches off, and for whom. Links never expire, because mail stays in mailboxes. */
export type Subscription = { userId: string; kind: MailKind }

/** Half of the hash, in hex: mail clients cut links at some other characters. */
const SEAL_LENGTH = 32

export const unsubscribeUrl = (subscription: Subscription) =>
  `${config.baseUrl}/unsubscribe/${subscription.kind}.${subscription.userId}.${mac(subscription)}`

/** Null unless the signature is valid. */
export function subscriptionOf(token: string): Subscription | null {
  const [kind = '', userId = '', shown = '', ...further] = token.split('.')
  if (!isMailKind(kind) || further.length > 0) return null
  const [seen, expected] = [Buffer.from(shown), Buffer.from(mac({ userId, kind }))]
  return seen.length === expected.length && timingSafeEqual(seen, expected) ? { userId, kind } : null
}

const mac = ({ userId, kind }: Subscription) =>
  new Bun.CryptoHasher('sha256', config.secretKey)
    .update(`unsubscribe\n${kind}\n${userId}`)
    .digest('hex')
    .slice(0, SEAL_LENGTH)
