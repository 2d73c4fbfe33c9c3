import type { Tx } from '@/db/client'
import { endClients } from '@/modules/access/oauth/end-clients'
import { endWebhooksMadeBy } from '@/modules/developers/webhooks/queries'
import { grantsOfAppsOf, madeByAppsOf, ownedBy } from './queries'

/** Removes every application of a person who leaves; what others allowed them ends with them. */
export const removeAppsOf = (tx: Tx, ownerId: string) => endClients(tx, ownedBy(ownerId))

/**
 * A developer is suspended. Their applications are unknown while that lasts; what these made in the name of other people
 * would go on without them, so it ends.
 */
export async function endWorksOfAppsOf(tx: Tx, ownerId: string): Promise<void> {
  await endWebhooksMadeBy(tx, grantsOfAppsOf(tx, ownerId))
  await endClients(tx, madeByAppsOf(tx, ownerId))
}
