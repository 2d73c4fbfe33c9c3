import { config } from '@/config/config'
import { providers } from '@/modules/access/sign-in/providers/definitions'
import { canSignIn } from '@/modules/access/sign-in/visitor'
import { logIn, senderAddress } from '@/outbound/mail/smtp'
import { type Finding, ok, warning, wrong } from './finding'

export async function checkMail(): Promise<Finding[]> {
  const { smtpUrl } = config
  if (smtpUrl === null)
    return [
      warning(
        'mail',
        'SMTP_URL is not set: no mail is sent, and sign-in by email is off.',
        'Set SMTP_URL and MAIL_FROM.',
      ),
    ]
  const { host, username } = new URL(smtpUrl)
  await logIn(smtpUrl)
  return [
    ok('mail', `${host} ${username === '' ? 'answers' : 'lets us in'}; mails are from ${senderAddress()}.`),
  ]
}

export const MAIL_TODO =
  'Check the host, the port, the user and the password in SMTP_URL, and that this machine may reach that port.'

export function checkSignIn(): Finding[] {
  const ways = [
    ...(config.smtpUrl === null ? [] : ['mail']),
    ...[...providers.values()].map(({ name }) => name),
  ]
  const found = ways.length > 0 ? `People sign in by ${ways.join(', ')}.` : 'There is no way to sign in.'
  return [
    canSignIn()
      ? ok('sign-in', found)
      : wrong(
          'sign-in',
          found,
          'Set SMTP_URL, or the id and the secret of a provider; it has to be an https address.',
        ),
  ]
}
