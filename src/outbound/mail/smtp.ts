import type { Transporter } from 'nodemailer'
import { config } from '@/config/config'
import type { Mail } from './mail'

const UNDER_WAY_MAX = 500

let transport: Promise<Transporter> | undefined
let underWay = 0

/** Hands a mail to the server, or throws. */
export async function post(smtpUrl: string, mail: Mail): Promise<void> {
  if (underWay >= UNDER_WAY_MAX) throw new Error('Too many mails are waiting')
  underWay += 1
  try {
    transport ??= connect(smtpUrl)
    await (await transport).sendMail({
      from: config.mailFrom || {
        name: config.siteName,
        address: `no-reply@${new URL(config.baseUrl).hostname}`,
      },
      ...mail,
      headers: { 'Auto-Submitted': 'auto-generated' },
      // What a mail says is text of ours, never the name of a file or an address to fetch.
      disableFileAccess: true,
      disableUrlAccess: true,
    })
  } finally {
    underWay -= 1
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
