import { config } from '@/config/config'

/**
 * The rate-limit key of a mailbox: hashed, because Redis may store it; without the part after a plus, which is the same mailbox.
 */
export function mailboxKey(email: string): Uint8Array {
  const at = email.lastIndexOf('@')
  const mailbox = `${email.slice(0, at).split('+')[0] || '+'}${email.slice(at)}`
  return new Bun.CryptoHasher('sha256', config.secretKey).update(`mailbox\n${mailbox}`).digest()
}
