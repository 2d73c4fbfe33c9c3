import { config } from '@/config/config'
import { log } from '@/core/log'
import { reasonOf } from '@/core/reason'
import { keep } from './kept'
import type { Mail } from './mail'
import { isRefusedForGood, post } from './smtp'

/** In production mail needs a server; the demo and the tests keep it in memory. */
export const canSendMail = () => config.smtpUrl !== null || config.mode !== 'production'

/** Sends a mail. A failure goes to the log and is nobody's error: people who wait for the mail ask again. */
export const sendMail = (mail: Mail): Promise<void> => hand(mail).catch(logFailure)

/** Sends a mail, and throws when trying again later may help. Without a mail server there is nothing to try. */
export const deliverMail = (mail: Mail): Promise<void> =>
  hand(mail).catch((error) => {
    if (!isRefusedForGood(error)) throw error
    logFailure(error)
  })

async function hand(mail: Mail): Promise<void> {
  if (config.smtpUrl !== null) await post(config.smtpUrl, mail)
  else if (config.mode !== 'production') keep(mail)
}

const logFailure = (error: unknown) => log.error('mail: could not be sent', reasonOf(error))
