import { db } from '@/db/client'
import { countUnsettled } from '@/db/reactions'
import type { Listener } from '@/jobs/listener'
import { react, relayFacts } from '@/jobs/relay'

/** Lets every consequence of what has happened take place. */
export async function drain(listeners: Listener[]): Promise<void> {
  for (let taken = true; taken && (await countUnsettled(db)) > 0; ) {
    taken = false
    const bells = await relayFacts(listeners, async () => {
      taken = true
    })
    for (const { factId, listener } of bells) await react(listeners, factId, listener)
  }
}
