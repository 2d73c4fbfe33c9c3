import type { Transporter } from 'nodemailer'
import { config } from '@/config/config'
import { isAnswer } from './failure'
import type { Mail } from './mail'

export const sender = () =>
  config.mailFrom || { name: config.siteName, address: `no-reply@${new URL(config.baseUrl).hostname}` }

export function senderAddress(): string {
  const from = sender()
  if (typeof from === 'object') return from.address
  return (/<([^<>]+)>\s*$/.exec(from)?.[1] ?? from).trim()
}

type Lane = 'awaited' | 'other'

/** A server that scans a mail before accepting it may be silent for a while; giving up then causes duplicates. */
const SILENCE_MS = 2 * 60_000
/** The limit for a server that drips its replies. */
const DEADLINE_MS = 5 * 60_000

const idle: Record<Lane, Transporter[]> = { awaited: [], other: [] }

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

/** Whether login succeeds, without a mail. */
export const isServerUp = (smtpUrl: string): Promise<boolean> =>
  logIn(smtpUrl).then(
    () => true,
    () => false,
  )

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
    // A single address object, so that no list of recipients can be smuggled in.
    to: { name: '', address: to },
    messageId: `<${id}@${host}>`,
    subject,
    text,
    html,
    headers,
    ...(calendar && {
      icalEvent: { method: calendar.method, content: calendar.text, filename: 'event.ics' },
    }),
    // Mail text is never a file name or an address to fetch.
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}

const close = (connection: Transporter) =>
  (connection.close as (how: { force: boolean }) => void)({ force: true })

/** Lazy: most servers start more often than they send mail. Options in the address override these. */
async function connect(smtpUrl: string): Promise<Transporter> {
  const { createTransport } = await import('nodemailer')
  return createTransport({
    url: smtpUrl,
    pool: true,
    maxConnections: 1,
    // A lost connection may have delivered the mail: the outbox decides about a retry.
    maxRequeues: 0,
    requireTLS: isPasswordAtRisk(new URL(smtpUrl)),
    connectionTimeout: 5_000,
    greetingTimeout: 5_000,
    socketTimeout: SILENCE_MS,
  } as Parameters<typeof createTransport>[0])
}

/** Otherwise an attacker who strips STARTTLS would get the password. */
const isPasswordAtRisk = ({ protocol, username, hostname }: URL) =>
  protocol === 'smtp:' && username !== '' && !/^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname)
