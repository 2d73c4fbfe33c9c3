import { config } from '@/config/config'

/**
 * The key of a mailbox in limits: hashed, because they may be counted in Redis; without the part after a plus, which is
 * the same mailbox.
 */
export function mailboxKey(email: string): Uint8Array {
  const at = email.lastIndexOf('@')
  const mailbox = `${email.slice(0, at).split('+')[0] || '+'}${email.slice(at)}`
  return new Bun.CryptoHasher('sha256', config.secretKey).update(`mailbox\n${mailbox}`).digest()
}
