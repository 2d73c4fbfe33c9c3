import { config } from '../config/config'
import { closeDatabase, connectDatabase } from '../db/client'
import { mayBeginStorage } from '../modules/people/uploads/present'
import { useMayBegin } from '../outbound/storage/current'
import { openNotifyChannel } from '../outbox/notify-channel'

/** No request waits for a worker, and sweeps take their time. */
const STATEMENT_MS = 30_000

/** The connections of a worker, in its own process or in the parent. */
export function openWorkerConnections(databaseUrl: string): { close(): Promise<void> } {
  connectDatabase(databaseUrl, {
    max: config.workerPool,
    statementTimeoutMs: STATEMENT_MS,
    name: 'folkmoot-worker',
  })
  useMayBegin(mayBeginStorage)
  const notifyChannel = openNotifyChannel(databaseUrl)
  return {
    async close() {
      await notifyChannel.close()
      await closeDatabase()
    },
  }
}
