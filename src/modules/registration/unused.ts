import { now, nowMs } from '@/core/clock'
import { emit } from '@/db/outbox'
import { transaction } from '@/db/transaction'
import { deleteClients, lockUnusedClients } from './queries'

const UNUSED_MS = 30 * 24 * 60 * 60 * 1000
const BATCH = 500

/** Anybody may register an application, so those that nobody uses do not stay. */
export async function removeUnusedClients(): Promise<void> {
  for (;;) {
    const found = await transaction(async (tx) => {
      const unused = await lockUnusedClients(tx, new Date(nowMs() - UNUSED_MS), now(), BATCH)
      for (const clientId of unused.length > 0 ? await deleteClients(tx, unused, now()) : [])
        await emit(tx, 'app.deleted', { clientId, userId: null })
      return unused.length
    })
    if (found < BATCH) return
  }
}
