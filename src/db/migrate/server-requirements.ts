import { connect } from 'node:net'
import type postgres from 'postgres'
import { ConfigError } from '@/config/error'

/** The first version with `returning old.…, new.…`, which scores use. */
const VERSION_NEEDED = 18

export type Facts = {
  version: number
  encoding: string
  isCopy: boolean
  mayCreate: boolean
  mayCreateTables: boolean
  hasTrigrams: boolean
}

/** Refuses a database on which the first migration, or the first non-ASCII letter, would fail. */
export async function requireSuitable(client: postgres.Sql): Promise<void> {
  const sentence = unsuitable(await readFacts(client))
  if (sentence !== undefined) throw new ConfigError(sentence)
}

export async function readFacts(client: postgres.Sql): Promise<Facts> {
  const [facts] = await client<Facts[]>`
    select current_setting('server_version_num')::int / 10000 as version,
      current_setting('server_encoding') as encoding,
      pg_is_in_recovery() as "isCopy",
      has_database_privilege(current_database(), 'create') as "mayCreate",
      coalesce(has_schema_privilege(to_regnamespace('public')::oid, 'create'), false) as "mayCreateTables",
      exists (select from pg_available_extensions where name = 'pg_trgm') as "hasTrigrams"`
  return facts as Facts
}

export function unsuitable(facts: Facts): string | undefined {
  if (facts.version < VERSION_NEEDED)
    return `Folkmoot needs PostgreSQL ${VERSION_NEEDED} or newer and the server of DATABASE_URL is ${facts.version}: upgrade it, or leave DATABASE_URL out to use the one that comes along.`
  if (facts.isCopy)
    return 'The server of DATABASE_URL is a standby that only reads: set DATABASE_URL to the primary.'
  if (facts.encoding !== 'UTF8')
    return `The database of DATABASE_URL is encoded in ${facts.encoding}: make one in UTF-8 (create database … encoding 'UTF8' template template0).`
  if (!facts.mayCreate)
    return 'The user of DATABASE_URL may not create schemas in its database: make it the owner (alter database … owner to …).'
  if (!facts.mayCreateTables)
    return 'The user of DATABASE_URL may not create tables in the schema public: allow it (grant create on schema public to …).'
  if (!facts.hasTrigrams)
    return 'The server of DATABASE_URL lacks the extension pg_trgm: install the contrib modules of PostgreSQL there.'
}

/**
 * Sends an SSLRequest before the driver does, which would hang on a server without TLS. Skips a server that does not listen yet.
 */
export async function requireTls(address: string): Promise<void> {
  if ((await tlsOffer(new URL(address))) === 'N')
    throw new ConfigError(
      'DATABASE_URL asks for TLS (sslmode) and its server does not offer it: turn it on there, or use sslmode=disable.',
    )
}

const SSL_REQUEST = Buffer.from([0, 0, 0, 8, 0x04, 0xd2, 0x16, 0x2f])
const PATIENCE_MS = 5000

function tlsOffer({ hostname, port }: URL): Promise<string | undefined> {
  return new Promise((resolve) => {
    const socket = connect(Number(port || 5432), hostname.replace(/^\[|\]$/g, ''), () =>
      socket.write(SSL_REQUEST),
    )
    const finish = (answer?: string) => {
      socket.destroy()
      resolve(answer)
    }
    socket.setTimeout(PATIENCE_MS, () => finish())
    socket.on('data', (data) => finish(String(data).slice(0, 1)))
    socket.on('error', () => finish())
    socket.on('close', () => finish())
  })
}
