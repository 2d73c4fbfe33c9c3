import { randomBytes } from 'node:crypto'
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ConfigError, unusable } from './error'

const WEAK = /^(.)\1*$|secret|password|changeme|change-me|example|default|folkmoot|12345/i

export function secretKey(
  given: string | undefined,
  dataDir: string,
  embedded: boolean,
  development: boolean,
): string {
  if (given) {
    if (!development && (given.length < 32 || new Set(given).size < 10 || WEAK.test(given)))
      throw new ConfigError(
        'SECRET_KEY is too weak: use at least 32 random characters, such as from "openssl rand -hex 32".',
      )
    return given
  }
  if (embedded) return keptSecret(dataDir)
  if (development) return 'development-only-key-that-production-refuses'
  throw new ConfigError(
    'SECRET_KEY is required with DATABASE_URL: set it to at least 32 random characters, such as from "openssl rand -hex 32".',
  )
}

/** With the embedded database the key lives beside the data that it protects. */
function keptSecret(dataDir: string): string {
  const file = join(dataDir, 'secret-key')
  try {
    return readFileSync(file, 'utf8').trim()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw unusable(dataDir, error)
  }
  try {
    mkdirSync(dataDir, { recursive: true })
    writeFileSync(file, `${randomBytes(32).toString('hex')}\n`, { mode: 0o600, flag: 'wx' })
    chmodSync(file, 0o600)
  } catch (error) {
    // Another process may have made it in between; then its key is the key.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw unusable(dataDir, error)
  }
  return readFileSync(file, 'utf8').trim()
}
