import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { ConfigError } from './error'

/** Direct addresses by the address of their pooler. */
const past = new Map<string, string>()

/** Called once by the configuration; addresses of other databases are unaffected. */
export function useDirectUrl(databaseUrl: string | null, directUrl: string | null) {
  if (databaseUrl !== null && directUrl !== null) past.set(databaseUrl, directUrl)
}

/** DATABASE_DIRECT_URL, for the address that is DATABASE_URL. */
export const directUrlOf = (databaseUrl: string): string | undefined => past.get(databaseUrl)

type Trust = { rejectUnauthorized: boolean; checkServerIdentity?: () => undefined }
export type Tls = false | (Trust & { host: string; servername?: string; ca?: string })
/** One server, by an address that both drivers parse alike. */
export type DatabaseAddress = { address: string; ssl: Tls }

const MODES: Record<string, Trust | false> = {
  disable: false,
  require: { rejectUnauthorized: false },
  'verify-ca': { rejectUnauthorized: true, checkServerIdentity: () => undefined },
  'verify-full': { rejectUnauthorized: true },
}
const OF_LIBPQ = ['ssl', 'sslcert', 'sslkey', 'sslpassword', 'sslcrl', 'sslnegotiation', 'uselibpqcompat']
const PARTS = /^(?<before>postgres(?:ql)?:\/\/(?:[^/?#]*@)?)(?<hosts>[^/?#]*)(?<after>.*)$/s

/** Splits a value with several hosts, in their order: `postgres://user@a:5432,b:5432/db`. */
export function databaseUrls(value: string): string[] {
  const { before = '', hosts = '', after = '' } = PARTS.exec(value)?.groups ?? {}
  return hosts.split(',').map((host) => `${before}${host}${after}`)
}

export const databaseAddresses = (value: string, variable = 'DATABASE_URL'): DatabaseAddress[] =>
  databaseUrls(value).map((one) => oneAddress(one, variable))

/** Whether connections need a writable host: always with several hosts. */
export const wantsWrites = (value: string) =>
  databaseAddresses(value).length > 1 || /[?&]target_session_attrs=/.test(value)

/** The address without TLS parameters, and TLS in terms of both drivers, which interpret `sslmode` differently. */
function oneAddress(value: string, variable: string): DatabaseAddress {
  const url = URL.parse(value)
  if (!url)
    throw new ConfigError(`${variable} must be an address: its host or its port (at most 65535) is none.`)
  const foreign = OF_LIBPQ.find((name) => url.searchParams.has(name))
  if (foreign)
    throw new ConfigError(
      `${variable} cannot have ${foreign}: of TLS it takes sslmode, and sslrootcert for a certificate of your own.`,
    )
  const target = url.searchParams.get('target_session_attrs') ?? 'read-write'
  if (target !== 'read-write' && target !== 'primary')
    throw new ConfigError(`target_session_attrs in ${variable} must be read-write, or be left out.`)
  const mode = url.searchParams.get('sslmode') ?? 'disable'
  const file = url.searchParams.get('sslrootcert')
  const tls = Object.hasOwn(MODES, mode) ? MODES[mode] : undefined
  if (tls === undefined)
    throw new ConfigError(`sslmode in ${variable} must be one of ${Object.keys(MODES).join(', ')}.`)
  for (const name of ['sslmode', 'sslrootcert', 'target_session_attrs']) url.searchParams.delete(name)
  return {
    address: url.href,
    ssl: tls && { ...tls, ...nameOf(url), ...(file && { ca: readCertificate(file, variable) }) },
  }
}

/** The name that the certificate must match. */
function nameOf({ hostname }: URL) {
  const host = hostname.replace(/^\[|\]$/g, '')
  return isIP(host) ? { host } : { host, servername: host }
}

function readCertificate(file: string, variable: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new ConfigError(
      `sslrootcert in ${variable} names ${file}, which cannot be read (${(error as NodeJS.ErrnoException).code}): ` +
        'set it to the file with the certificate.',
    )
  }
}
