import { now } from '@/core/clock'
import { transaction } from '@/db/transaction'
import { endClients } from '../end-clients'
import { lockUnusedClients, stillUnused } from './queries'

const BATCH = 500

/** Anyone may register applications, so unused ones are deleted. */
export async function removeUnusedClients(before: Date): Promise<void> {
  for (;;) {
    const found = await transaction(async (tx) => {
      const unused = await lockUnusedClients(tx, before, now(), BATCH)
      if (unused.length > 0) await endClients(tx, stillUnused(tx, unused, now()))
      return unused.length
    })
    if (found < BATCH) return
  }
}
