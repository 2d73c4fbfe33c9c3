/** Run as a process of its own: every sweep of the database and the storage that the environment names, as an hour later. */
import { config } from '@/config/config'
import { advanceClock } from '@/core/clock'
import { closeDatabase, connectDatabase } from '@/db/client'
import { mayBeginStorage } from '@/modules/people/uploads/present'
import { removeOrphanedUploads } from '@/modules/people/uploads/remove/orphans'
import { useMayBegin } from '@/outbound/storage/current'
import { runSweeps } from '../../workers/sweeps'

connectDatabase(config.databaseUrl as string, { max: 2, statementTimeoutMs: 30_000, name: 'sweep-now' })
useMayBegin(mayBeginStorage)
advanceClock(61 * 60_000)
await removeOrphanedUploads()
await runSweeps()
await closeDatabase()
