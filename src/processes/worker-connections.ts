import { config } from '../config/config'
import { closeDatabase, connectDatabase } from '../db/client'
import { mayBeginStorage } from '../modules/people/uploads/begin'
import { useMayBegin } from '../outbound/storage/current'
import { openNotifyChannel } from '../outbox/notify-channel'

/** Nobody waits for its answers, and sweeps take their time. */
const STATEMENT_MS = 30_000

/** Opens what a worker needs, whether it is a process of its own or lives in the one that starts the others. */
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
