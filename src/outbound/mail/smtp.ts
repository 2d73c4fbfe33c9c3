import type { Transporter } from 'nodemailer'
import { config } from '@/config/config'
import type { Mail } from './mail'
import { sender } from './sender'

type Lane = 'awaited' | 'other'

const transports = new Map<Lane, Promise<Transporter>>()

/** Hands a mail to the server, or throws. */
export async function post(smtpUrl: string, mail: Mail, isAwaited: boolean): Promise<void> {
  const lane: Lane = isAwaited ? 'awaited' : 'other'
  const transport = transports.get(lane) ?? connect(smtpUrl)
  transports.set(lane, transport)
  const { id, to, subject, text, html, calendar, headers } = mail
  const host = new URL(config.baseUrl).hostname
  try {
    await (await transport).sendMail({
      from: sender(),
      // A list of recipients cannot be smuggled in: it is one address.
      to: { name: '', address: to },
      messageId: `<${id}@${host}>`,
      subject,
      text,
      html,
      headers,
      ...(calendar && {
        icalEvent: { method: calendar.method, content: calendar.text, filename: 'event.ics' },
      }),
      // What a mail says is text of ours, never the name of a file or an address to fetch.
      disableFileAccess: true,
      disableUrlAccess: true,
    })
  } catch (error) {
    if (isRefusedForGood(error)) Object.assign(error as Error, { to })
    throw error
  }
}

/** The server knows the mailbox and wants nothing for it: no later try ends otherwise. */
export const isRefusedForGood = (error: unknown) => {
  const { code, responseCode } = error as { code?: unknown; responseCode?: unknown }
  return code === 'EENVELOPE' && Number(responseCode) >= 500
}

/** Loaded when it is needed: most servers start more often than they send mail. */
async function connect(url: string): Promise<Transporter> {
  const { createTransport } = await import('nodemailer')
  return createTransport({
    url,
    pool: true,
    maxConnections: 4,
    connectionTimeout: 5_000,
    greetingTimeout: 5_000,
    socketTimeout: 15_000,
  } as Parameters<typeof createTransport>[0])
}
