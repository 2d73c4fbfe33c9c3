import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { ConfigError } from './error'

type Trust = { rejectUnauthorized: boolean; checkServerIdentity?: () => undefined }
export type Tls = false | (Trust & { host: string; servername?: string; ca?: string })

const MODES: Record<string, Trust | false> = {
  disable: false,
  require: { rejectUnauthorized: false },
  'verify-ca': { rejectUnauthorized: true, checkServerIdentity: () => undefined },
  'verify-full': { rejectUnauthorized: true },
}
const OF_LIBPQ = ['ssl', 'sslcert', 'sslkey', 'sslpassword', 'sslcrl', 'sslnegotiation', 'uselibpqcompat']

/**
 * The address without its TLS parameters, and TLS in terms that both drivers share: each reads `sslmode` in its own
 * way.
 */
export function databaseAddress(value: string): { address: string; ssl: Tls } {
  const url = new URL(value)
  const foreign = OF_LIBPQ.find((name) => url.searchParams.has(name))
  if (foreign)
    throw new ConfigError(
      `DATABASE_URL cannot have ${foreign}: of TLS it takes sslmode, and sslrootcert for a certificate of your own.`,
    )
  const mode = url.searchParams.get('sslmode') ?? 'disable'
  const file = url.searchParams.get('sslrootcert')
  const tls = Object.hasOwn(MODES, mode) ? MODES[mode] : undefined
  if (tls === undefined)
    throw new ConfigError(`sslmode in DATABASE_URL must be one of ${Object.keys(MODES).join(', ')}.`)
  url.searchParams.delete('sslmode')
  url.searchParams.delete('sslrootcert')
  return {
    address: url.href,
    ssl: tls && { ...tls, ...nameOf(url), ...(file && { ca: readCertificate(file) }) },
  }
}

/** The name that the certificate must be for. */
function nameOf({ hostname }: URL) {
  const host = hostname.replace(/^\[|\]$/g, '')
  return isIP(host) ? { host } : { host, servername: host }
}

function readCertificate(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new ConfigError(
      `sslrootcert in DATABASE_URL names ${file}, which cannot be read (${(error as NodeJS.ErrnoException).code}): ` +
        'set it to the file with the certificate.',
    )
  }
}
