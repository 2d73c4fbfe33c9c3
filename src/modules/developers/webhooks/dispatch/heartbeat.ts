import { queueDb } from '@/db/client'
import { deleteHeartbeat, recordHeartbeat, SILENT_MS } from './queries'

const BEAT_MS = 1000
/** A little before others take us for dead, we no longer count on our leases ourselves. */
const SURE_MS = SILENT_MS - 1000

/**
 * The heartbeat of a dispatcher: while it is heard, nobody else claims what it has claimed. One that was silent for too
 * long, because it was stopped or could not reach the database, has to assume that others have its messages.
 */
export function startHeartbeat(leaseOwner: string) {
  let heardSince = 0
  let heardAt = Number.NEGATIVE_INFINITY
  const isHeard = (at = performance.now()) => at - heardAt < SURE_MS

  async function send() {
    // Counted from before it was sent, so that we give up first.
    const sentAt = performance.now()
    await recordHeartbeat(queueDb, leaseOwner)
    if (!isHeard(sentAt)) heardSince = sentAt
    heardAt = sentAt
  }

  let beating: Promise<void> | undefined
  const beat = () => {
    beating ??= send().finally(() => {
      beating = undefined
    })
    return beating
  }
  // A beat that fails is made up for by the next; it throws for a caller that awaits it.
  const timer = setInterval(() => beat().catch(() => {}), BEAT_MS)

  return {
    /** Beats now unless it is heard. */
    ensure: async () => void (isHeard() || (await beat())),
    /** Whether messages claimed at this time of `performance` are still ours. Waits until the heartbeat is heard. */
    async holds(claimedAt: number): Promise<boolean> {
      while (!isHeard()) await beat().catch(() => Bun.sleep(BEAT_MS))
      return claimedAt >= heardSince
    },
    async stop() {
      clearInterval(timer)
      await beating?.catch(() => {})
      // Nothing depends on it: all leases have been given back.
      await deleteHeartbeat(queueDb, leaseOwner).catch(() => {})
    },
  }
}
