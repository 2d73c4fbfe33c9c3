import { config } from '@/config/config'
import type { Mail } from './mail'
import { isServerThere, post } from './smtp'

/** In production mail needs a server; the demo and the tests keep it. */
export const canSendMail = () => config.smtpUrl !== null || config.mode !== 'production'

export const isMailServerThere = async () => config.smtpUrl === null || isServerThere(config.smtpUrl)

type Terms = {
  /** Whether somebody waits for it: such mails have connections of their own. */
  isAwaited: boolean
  /** What becomes of it where there is no mail server. */
  keep: (mail: Mail) => Promise<unknown>
}

/** Hands a mail to the server, or throws. Without one in production there is nobody to send to, and it is let go. */
export async function handOver(mail: Mail, { isAwaited, keep }: Terms): Promise<void> {
  if (config.smtpUrl !== null) await post(config.smtpUrl, mail, isAwaited)
  else if (config.mode !== 'production') await keep(mail)
}
