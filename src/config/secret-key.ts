import { lstatSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { closedDataFolder, isReadOnly } from './data-folder'
import { ConfigError, unusable } from './error'
import { writeOnce } from './write-file'

const WEAK = /^(.)\1*$|secret|password|changeme|change-me|example|default|folkmoot|12345/i

const isWeak = (key: string) => key.length < 32 || new Set(key).size < 10 || WEAK.test(key)

export function secretKey(
  given: string | undefined,
  dataDir: string,
  embedded: boolean,
  development: boolean,
): string {
  if (given) {
    if (!development && isWeak(given))
      throw new ConfigError(
        'SECRET_KEY is too weak: use at least 32 random characters, such as from "openssl rand -hex 32".',
      )
    const doubt = embedded && !isReadOnly() ? keyMismatch(given, dataDir) : undefined
    if (doubt !== undefined) throw new ConfigError(doubt)
    return given
  }
  if (embedded) return storedSecret(dataDir)
  if (development) return 'development-only-key-that-production-refuses'
  throw new ConfigError(
    'SECRET_KEY is required with DATABASE_URL: set it to at least 32 random characters, such as from "openssl rand -hex 32".',
  )
}

/** Why the given key is wrong: another one is stored beside the embedded database. */
export function keyMismatch(given: string, dataDir: string): string | undefined {
  const file = join(dataDir, 'secret-key')
  const stored = storedKey(file)
  if (!stored || stored === given) return undefined
  return hasDatabase(dataDir)
    ? `SECRET_KEY is not the key in ${file}, which was made for the database beside it: take SECRET_KEY out of the settings, or, if "folkmoot doctor" says that it opens what is encrypted in the database, put it into that file.`
    : `SECRET_KEY is not the key in ${file}, which protects nothing yet: remove that file, or take SECRET_KEY out of the settings.`
}

/** An unreadable file is no objection to the given key. */
function storedKey(file: string): string | undefined {
  try {
    return read(file)
  } catch {
    return undefined
  }
}

let makes = true

/** For a process that creates no database: without one, it uses a temporary key. */
export const createNoKey = () => {
  makes = false
}

/** With the embedded database the key is stored beside the data it protects. */
function storedSecret(dataDir: string): string {
  const file = join(dataDir, 'secret-key')
  try {
    if (!makes && read(file) === undefined && !hasDatabase(dataDir)) return newKey()
    closedDataFolder(dataDir)
    const key = read(file) ?? (hasDatabase(dataDir) ? read(file) : make(file))
    if (key === undefined) throw lost(file)
    if (isWeak(key)) throw tooWeak(file, key, hasDatabase(dataDir))
    return key
  } catch (error) {
    throw error instanceof ConfigError ? error : unusable(dataDir, error)
  }
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** The first writer wins: of concurrent starts one creates the key and all read it. */
function make(file: string): string | undefined {
  writeOnce(file, `${newKey()}\n`)
  return read(file)
}

function newKey(): string {
  let key: string
  do key = Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('hex')
  while (isWeak(key))
  return key
}

/** The key is created before the first database: with a database, a new key could not decrypt its secrets. */
function hasDatabase(dataDir: string): boolean {
  const path = join(dataDir, 'postgres')
  const found = lstatSync(path, { throwIfNoEntry: false })
  return found !== undefined && (!found.isDirectory() || readdirSync(path).length > 0)
}

const RECOVERY =
  'bring it back from a backup; without one, put the output of "openssl rand -hex 32" there: ' +
  'webhooks then need new secrets, and applications new consent.'

const lost = (file: string) =>
  new ConfigError(`The key ${file} of the database beside it is missing: ${RECOVERY}`)

const tooWeak = (file: string, key: string, isInUse: boolean) =>
  new ConfigError(
    `The key in ${file} is ${key === '' ? 'empty' : 'too weak'}: ` +
      (isInUse ? RECOVERY : 'remove the file, and the next start makes a good one.'),
  )
