import { config } from '@/config'
import { keep } from './mail-box'
import { post } from './mail-smtp'

export type Mail = { to: string; subject: string; text: string; html: string }

/** In production mail needs a server; the demo and the tests keep it in memory. */
export const canSendMail = () => config.smtpUrl !== null || config.mode !== 'production'

/** Sends a mail. What goes wrong is written to the log and is nobody's error: whoever waits for it asks again. */
export async function sendMail(mail: Mail): Promise<void> {
  if (config.smtpUrl !== null) await post(config.smtpUrl, mail)
  else if (config.mode !== 'production') keep(mail)
}
