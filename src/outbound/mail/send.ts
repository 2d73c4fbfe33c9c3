import { config } from '@/config/config'
import type { Mail } from './mail'
import { isServerUp, post } from './smtp'

/**
 * The rate-limit key of a mailbox: hashed, because Redis may store it; without the part after a plus, which is the same mailbox.
 */
export function mailboxKey(email: string): Uint8Array {
  const at = email.lastIndexOf('@')
  const mailbox = `${email.slice(0, at).split('+')[0] || '+'}${email.slice(at)}`
  return new Bun.CryptoHasher('sha256', config.secretKey).update(`mailbox\n${mailbox}`).digest()
}

/** Production needs a mail server; the demo and the tests store mail. */
export const canSendMail = () => config.smtpUrl !== null || config.mode !== 'production'

export const isMailServerUp = async () => config.smtpUrl === null || isServerUp(config.smtpUrl)

type Terms = {
  /** Whether a person waits for it: such mail has its own connections. */
  isAwaited: boolean
  /** Stores the mail without a server. */
  keep: (mail: Mail) => Promise<unknown>
}

/** Hands a mail to the server, or throws. Drops it in production without a server. */
export async function handOver(mail: Mail, { isAwaited, keep }: Terms): Promise<void> {
  if (config.smtpUrl !== null) await post(config.smtpUrl, mail, isAwaited)
  else if (config.mode !== 'production') await keep(mail)
}
