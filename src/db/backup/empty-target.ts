import { ConfigError } from '@/config/error'
import { readHistory, requireNoTables } from '../migrate/history'
import { LOCK } from '../migrate/migrate'
import { requireSuitable } from '../migrate/server-requirements'
import { openSession } from '../migrate/session'
import { MARKING } from '../migrate/unfinished-restore'
import { untilThere } from '../migrate/wait-for-server'

/**
 * Works on a database that is empty, and is marked until the work is done: one in which a restore was interrupted serves
 * nobody, and takes the next restore. Servers that start meanwhile wait.
 */
export async function onEmpty<T>(url: string, work: () => Promise<T>): Promise<T> {
  const client = await untilThere(
    () => openSession(url),
    () => {},
  )
  try {
    await requireSuitable(client)
    await client`select pg_advisory_lock(${LOCK})`
    if ((await readHistory(client)).length > 0)
      throw new ConfigError(
        'There is a community in this database already: a restore goes into a new DATA_DIR, or into an empty database of DATABASE_URL.',
      )
    await requireNoTables(client)
    await client.unsafe(MARKING)
    return await work()
  } finally {
    await client.end({ timeout: 3 })
  }
}
