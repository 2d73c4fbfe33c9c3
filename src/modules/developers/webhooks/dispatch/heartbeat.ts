import { queueDb } from '@/db/client'
import { deleteHeartbeat, recordHeartbeat, SILENT_MS } from './queries'

const BEAT_MS = 1000
/** A little before others take us for dead, we no longer count on our leases ourselves. */
const SURE_MS = SILENT_MS - 1000

/**
 * The heartbeat of a dispatcher: while it is heard, nobody else claims what it has claimed. One that was silent for too
 * long, because it was stopped or could not reach the database, has to assume that others have its messages.
 */
export function startHeartbeat(leaseOwner: string, onBeat: (wasSilent: boolean) => void) {
  let heardAt = Number.NEGATIVE_INFINITY

  async function send() {
    // Counted from before it was sent, so that we give up first.
    const sentAt = performance.now()
    await recordHeartbeat(queueDb, leaseOwner)
    const wasSilent = sentAt - heardAt >= SURE_MS
    heardAt = sentAt
    onBeat(wasSilent)
  }

  let beating: Promise<void> | undefined
  const beat = () => {
    beating ??= send().finally(() => {
      beating = undefined
    })
    return beating
  }
  // A beat that fails is made up for by the next; it throws for whoever awaits it.
  const timer = setInterval(() => beat().catch(() => {}), BEAT_MS)

  return {
    beat,
    isHeard: () => performance.now() - heardAt < SURE_MS,
    async stop() {
      clearInterval(timer)
      await beating?.catch(() => {})
      // Nothing hangs on it: all leases have been given back.
      await deleteHeartbeat(queueDb, leaseOwner).catch(() => {})
    },
  }
}
