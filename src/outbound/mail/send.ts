import { config } from '@/config/config'
import { keep } from './kept'
import type { Mail } from './mail'
import { post } from './smtp'

/** In production mail needs a server; the demo and the tests keep it in memory. */
export const canSendMail = () => config.smtpUrl !== null || config.mode !== 'production'

/** Sends a mail. What goes wrong is written to the log and is nobody's error: whoever waits for it asks again. */
export async function sendMail(mail: Mail): Promise<void> {
  if (config.smtpUrl !== null) await post(config.smtpUrl, mail)
  else if (config.mode !== 'production') keep(mail)
}
