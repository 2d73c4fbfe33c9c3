import type postgres from 'postgres'
import { directUrlOf } from '@/config/database-address'
import { ConfigError } from '@/config/error'
import { findPending } from './migrate/history'
import { readRelease, readRepairs } from './migrate/release'
import { readFacts, requireTls, unsuitable } from './migrate/server-requirements'
import { sessionAddress } from './servers/direct'
import { openForLook } from './servers/look'
import { findPooler, type Pooler, refusalOfPoolers } from './servers/pooler'

export type Examination = {
  version: string
  encoding: string
  /** Why a start would refuse this database. */
  refusal: string | undefined
  pooler: { mode: Pooler; hasWayPast: boolean; refusal: string | undefined }
  /** Clock offset of the database, positive if it is ahead. */
  clockAheadMs: number
  connections: { used: number; max: number }
  /** `name:port` of the server, and our SQL user there. */
  host: string
  user: string
  standbys: Standbys
  migrations: { known: number; pending: string[] } | { refusal: string }
}

/** Synchronous replication, as far as this database user may see it. */
export type Standbys = {
  /** Standbys that must confirm a commit. */
  needed: number
  /** Connected WAL receivers; which of them confirm is visible only to the role pg_read_all_stats. */
  connected: number
  confirming: number | null
  /** Commits of this user that wait longer than usual. */
  waiting: number
}

type ServerFacts = { at: Date; version: string; user: string; used: number; max: number }

/** Read-only checks of a database: those of a start, and more. */
export async function examineDatabase(url: string): Promise<Examination> {
  const server = await sessionAddress(url)
  if (server.ssl) await requireTls(server.address)
  const client = openForLook(server)
  try {
    const facts = await readFacts(client)
    const askedAt = Date.now()
    const rows = await client<ServerFacts[]>`
      select clock_timestamp() as at, current_setting('server_version') as version,
        quote_ident(current_user) as user,
        (select count(*)::int from pg_stat_activity where backend_type = 'client backend') as used,
        current_setting('max_connections')::int as max`
    const answeredAt = Date.now()
    const { at, version, user, used, max } = rows[0] as ServerFacts
    return {
      version: version.split(' ')[0] as string,
      encoding: facts.encoding,
      refusal: unsuitable(facts),
      clockAheadMs: Math.round(at.getTime() - (askedAt + answeredAt) / 2),
      pooler: await examinePoolers(url),
      connections: { used, max },
      host: new URL(server.address).host,
      user,
      standbys: await examineStandbys(client),
      migrations: await examineHistory(client),
    }
  } finally {
    await client.end({ timeout: 3 })
  }
}

async function examinePoolers(url: string): Promise<Examination['pooler']> {
  const past = directUrlOf(url)
  const [mode, before] = await Promise.all([findPooler(url), past === undefined ? null : findPooler(past)])
  return { mode, hasWayPast: past !== undefined, refusal: refusalOfPoolers(mode, before) }
}

type Followers = Omit<Standbys, 'needed'> & { names: string }

async function examineStandbys(client: postgres.Sql): Promise<Standbys> {
  const rows = await client<Followers[]>`
    select case when pg_is_in_recovery() or current_setting('synchronous_commit') in ('off', 'local') then ''
        else current_setting('synchronous_standby_names') end as names,
      (select count(*)::int from pg_stat_replication) as connected,
      case when pg_has_role('pg_read_all_stats', 'usage')
        then (select count(*)::int from pg_stat_replication where sync_state in ('sync', 'quorum'))
      end as confirming,
      (select count(*)::int from pg_stat_activity
        where wait_event = 'SyncRep' and state_change < now() - interval '2 seconds') as waiting`
  const { names, ...rest } = rows[0] as Followers
  return { needed: requiredStandbys(names), ...rest }
}

/** Parses `synchronous_standby_names`: `ANY 2 (a, b, c)`, `FIRST 2 (…)`, `2 (…)`, or names of which the first confirms. */
export function requiredStandbys(names: string): number {
  if (names.trim() === '') return 0
  return Number(/^\s*(?:(?:any|first)\s+)?(\d+)\s*\(/i.exec(names)?.[1] ?? 1)
}

async function examineHistory(client: postgres.Sql): Promise<Examination['migrations']> {
  const release = readRelease()
  try {
    const pending = await findPending(client, release, readRepairs(release))
    return { known: release.length, pending: pending.map(({ name }) => name) }
  } catch (error) {
    if (error instanceof ConfigError) return { refusal: error.message }
    throw error
  }
}
