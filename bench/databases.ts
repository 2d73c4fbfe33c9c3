import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbeddedPostgres } from '../src/db/embedded-postgres/start'
import { findRedis } from '../test/support/redis'
import { atEnd } from './leave'

export type Databases = { folder: string; databaseUrl: string; redisUrl: string | undefined }

/** A new PostgreSQL with the settings it has in operation, fsync included, and a Redis where there is one. */
export async function openDatabases(): Promise<Databases> {
  const folder = mkdtempSync(join(tmpdir(), 'folkmoot-bench-'))
  atEnd(() => rmSync(folder, { recursive: true, force: true }))
  const starting = [startEmbeddedPostgres({ dataDir: join(folder, 'data') }), findRedis(folder)] as const
  // Registered before they run, so that an interruption meanwhile leaves neither behind.
  for (const service of starting) atEnd(async () => (await service.catch(() => undefined))?.stop())
  const [postgres, redis] = await Promise.all(starting)
  return { folder, databaseUrl: postgres.url, redisUrl: redis?.url }
}
