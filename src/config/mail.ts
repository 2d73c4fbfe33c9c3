import { ConfigError } from './error'
import type { Reader } from './reader'

/** The options that nodemailer knows; any other is a typo. */
const OPTIONS = new Set(['name', 'requireTLS', 'ignoreTLS', 'tls.rejectUnauthorized', 'tls.servername'])

const ADDRESS = /^[^\s@<>(),;:\\"]+@[^\s@<>(),;:\\"]+$/
const NAMED = /^(?:"[^"\\]{1,80}"|[^<>(),;:@\\"]{1,80}) <([^<>]+)>$/

export const mail = (read: Reader) => ({
  smtpUrl: smtpUrl(read),
  mailFrom: sender(read.line('MAIL_FROM', '', 200)),
  adminEmails: read.list('ADMIN_EMAILS').map((value) => {
    if (!ADDRESS.test(value)) throw new ConfigError('ADMIN_EMAILS must be a comma list of mail addresses.')
    return value.toLowerCase()
  }),
})

/** One address, alone or as `Name <address>`. */
function sender(value: string): string {
  if (value === '' || ADDRESS.test(value) || ADDRESS.test(NAMED.exec(value)?.[1] ?? '')) return value
  throw new ConfigError(
    'MAIL_FROM must be one mail address, such as hello@folkmoot.example or Folkmoot <hello@folkmoot.example>.',
  )
}

function smtpUrl(read: Reader): string | null {
  const value = read.address('SMTP_URL', ['smtp:', 'smtps:'])
  if (value === null) return null
  const { hostname, username, password, pathname, searchParams } = new URL(value)
  const wrong = (what: string) => new ConfigError(`SMTP_URL ${what}.`)
  if (hostname === '')
    throw wrong('must name a host, such as smtps://user:password@mail.folkmoot.example:465')
  if (pathname !== '' && pathname !== '/') throw wrong('must have no path')
  if ((username === '') !== (password === '')) throw wrong('must have both a user and a password, or neither')
  for (const part of [username, password])
    if (!isEncoded(part))
      throw wrong('has a percent sign in its user or password that stands for nothing: write it as %25')
  for (const [name, setting] of searchParams) {
    if (!OPTIONS.has(name))
      throw wrong(`has an option that mail knows nothing of: ${[...OPTIONS].join(', ')} are there`)
    if (name !== 'name' && name !== 'tls.servername' && !/^(true|false)$/.test(setting))
      throw wrong(`must have ${name} as true or false`)
  }
  return value
}

function isEncoded(text: string): boolean {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}
