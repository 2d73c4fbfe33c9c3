import { join } from 'node:path'
import { startEmbeddedPostgres } from '../../src/db/embedded-postgres/start'
import { findRedis } from './redis'

// Nothing here has to survive a power cut; the fault tests start servers of their own that do.
const SETTINGS = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '300' }

/** PostgreSQL, and Redis where it can be had, for a run of tests. */
export async function startServices(folder: string, signal?: AbortSignal) {
  const redis = await findRedis(folder)
  const dataDir = join(folder, 'data')
  const postgres = await startEmbeddedPostgres({ dataDir, settings: SETTINGS, signal }).catch(
    async (error) => {
      await redis?.stop()
      throw error
    },
  )
  return {
    databaseUrl: postgres.url,
    redisUrl: redis?.url,
    async stop() {
      await redis?.stop()
      await postgres.stop()
    },
  }
}
