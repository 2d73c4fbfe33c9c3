import { timingSafeEqual } from 'node:crypto'
import { config } from '@/config/config'
import { isMailKind, type MailKind } from '@/core/mail-kinds'

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
