import type { Transporter } from 'nodemailer'
import { config } from '@/config/config'
import { isAnswer } from './failure'
import type { Mail } from './mail'

/** Whom mails are from. */
export const sender = () =>
  config.mailFrom || { name: config.siteName, address: `no-reply@${new URL(config.baseUrl).hostname}` }

/** The address alone. */
export function senderAddress(): string {
  const from = sender()
  if (typeof from === 'object') return from.address
  return (/<([^<>]+)>\s*$/.exec(from)?.[1] ?? from).trim()
}

type Lane = 'awaited' | 'other'

/** A server that reads a mail before it takes it may be silent for a while; giving up on it then is how mails come twice. */
const SILENCE_MS = 2 * 60_000
/** However it drips its answers. */
const DEADLINE_MS = 5 * 60_000

/** Connections that nobody uses just now. */
const idle: Record<Lane, Transporter[]> = { awaited: [], other: [] }

/** Hands a mail to the server, or throws. */
export async function post(smtpUrl: string, mail: Mail, isAwaited: boolean): Promise<void> {
  const connections = idle[isAwaited ? 'awaited' : 'other']
  const connection = connections.pop() ?? (await connect(smtpUrl))
  const deadline = setTimeout(() => close(connection), DEADLINE_MS)
  try {
    await connection.sendMail(messageOf(mail))
    connections.push(connection)
  } catch (error) {
    if (isAnswer(error)) connections.push(connection)
    else close(connection)
    throw error
  } finally {
    clearTimeout(deadline)
  }
}

/** Whether the server lets us in, without a mail. */
export const isServerThere = (smtpUrl: string): Promise<boolean> =>
  logIn(smtpUrl).then(
    () => true,
    () => false,
  )

/** Connects and logs in, or throws. */
export async function logIn(smtpUrl: string): Promise<void> {
  const connection = await connect(smtpUrl)
  try {
    await connection.verify()
  } finally {
    close(connection)
  }
}

function messageOf({ id, to, subject, text, html, calendar, headers }: Mail) {
  const host = new URL(config.baseUrl).hostname
  return {
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
  }
}

const close = (connection: Transporter) =>
  (connection.close as (how: { force: boolean }) => void)({ force: true })

/** Loaded when it is needed: most servers start more often than they send mail. What the address says goes before this. */
async function connect(smtpUrl: string): Promise<Transporter> {
  const { createTransport } = await import('nodemailer')
  return createTransport({
    url: smtpUrl,
    pool: true,
    maxConnections: 1,
    // A connection that was lost may have carried the mail: whether it is tried again is for the outbox to say.
    maxRequeues: 0,
    requireTLS: isPasswordAtRisk(new URL(smtpUrl)),
    connectionTimeout: 5_000,
    greetingTimeout: 5_000,
    socketTimeout: SILENCE_MS,
  } as Parameters<typeof createTransport>[0])
}

/** Who takes STARTTLS out of a server's greeting would otherwise be given the password. */
const isPasswordAtRisk = ({ protocol, username, hostname }: URL) =>
  protocol === 'smtp:' && username !== '' && !/^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname)
