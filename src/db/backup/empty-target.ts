import type postgres from 'postgres'
import { ConfigError } from '@/config/error'
import { readHistory, requireNoTables } from '../migrate/history'
import { hasTable } from '../migrate/installation'
import { LOCK } from '../migrate/migrate'
import { requireSuitable } from '../migrate/server-requirements'
import { openSession } from '../migrate/session'
import { MARKING } from '../migrate/unfinished-restore'
import { waitForServer } from '../migrate/wait-for-server'

/**
 * Runs a restore on an empty database, marked until the work is done: a server refuses to start on a half-restored one, and the
 * next restore may use it. Servers that start meanwhile wait.
 */
export async function onEmpty<T>(url: string, work: () => Promise<T>): Promise<T> {
  const client = await waitForServer(
    () => openSession(url),
    () => {},
  )
  try {
    await requireSuitable(client)
    await client`select pg_advisory_lock(${LOCK})`
    if ((await readHistory(client)).length > 0)
      throw new ConfigError(
        (await hasPeople(client))
          ? 'There is a community in this database already: a restore goes into a new DATA_DIR, or into an empty database of DATABASE_URL.'
          : 'This database holds no people, but a server or "folkmoot migrate" has made its tables: drop and recreate it, or use a new DATA_DIR, and restore before anything else is started on it.',
      )
    await requireNoTables(client)
    await client.unsafe(MARKING)
    return await work()
  } finally {
    await client.end({ timeout: 3 })
  }
}

async function hasPeople(client: postgres.Sql): Promise<boolean> {
  if (!(await hasTable(client, 'public.users'))) return false
  const [row] = await client`select exists (select from users) as found`
  return row?.found === true
}
