import { db } from '@/db/client'
import type { Listener } from '@/outbox/listener'
import { countUnsettled } from '@/outbox/queries'
import { react, relayEvents } from '@/outbox/relay'

/** Lets every consequence of what has happened take place. */
export async function drain(listeners: Listener[]): Promise<void> {
  for (let taken = true; taken && (await countUnsettled(db)) > 0; ) {
    taken = false
    const reactions = await relayEvents(listeners, async () => {
      taken = true
    })
    for (const { outboxId, listener } of reactions) await react(listeners, outboxId, listener)
  }
}
