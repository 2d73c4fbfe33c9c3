import { db } from '@/db/client'
import { countUnsettled } from '@/db/reactions'
import type { Listener } from '@/jobs/listener'
import { react, relayFacts } from '@/jobs/relay'

/** Lets every consequence of what has happened take place. */
export async function drain(listeners: Listener[]): Promise<void> {
  while ((await countUnsettled(db)) > 0) {
    const bells = await relayFacts(listeners)
    for (const { factId, listener } of bells) await react(listeners, factId, listener)
    if (bells.length === 0) return
  }
}
