import { timingSafeEqual } from 'node:crypto'
import { config } from '@/config/config'
import { isMailKind, type MailKind } from '@/core/mail-kinds'

/** Whose mails of which kind an address in a mail switches off. It holds for as long as the mail may lie in a mailbox. */
export type Subscription = { userId: string; kind: MailKind }

/** Half of the hash, in letters that no mail program takes for the end of an address. */
const SEAL_LENGTH = 32

export const unsubscribeUrl = (subscription: Subscription) =>
  `${config.baseUrl}/unsubscribe/${subscription.kind}.${subscription.userId}.${mac(subscription)}`

/** What such an address says; null for one that is not of ours. */
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
