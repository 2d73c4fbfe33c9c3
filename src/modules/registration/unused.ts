import { now, nowMs } from '@/core/clock'
import { emitAll } from '@/db/outbox'
import { transaction } from '@/db/transaction'
import { deleteClients, lockUnusedClients } from './queries'

const UNUSED_MS = 30 * 24 * 60 * 60 * 1000
const BATCH = 500

/** Anybody may register an application, so those that nobody uses do not stay. */
export async function removeUnusedClients(): Promise<void> {
  for (;;) {
    const found = await transaction(async (tx) => {
      const unused = await lockUnusedClients(tx, new Date(nowMs() - UNUSED_MS), now(), BATCH)
      const gone = await deleteClients(tx, unused, now())
      await emitAll(
        tx,
        'app.deleted',
        gone.map((clientId) => ({ clientId, userId: null })),
      )
      return unused.length
    })
    if (found < BATCH) return
  }
}
