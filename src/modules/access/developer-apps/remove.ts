import type { Tx } from '@/db/client'
import { endClients } from '@/modules/access/oauth/end-clients'
import { endWebhooksMadeBy } from '@/modules/developers/webhooks/queries'
import { grantsOfAppsOf, madeByAppsOf, ownedBy } from './queries'

/** Deletes every application of a person who leaves; grants to them end with them. */
export const removeAppsOf = (tx: Tx, ownerId: string) => endClients(tx, ownedBy(ownerId))

/**
 * Ends what a suspended developer's applications made in the name of other people. The applications themselves are
 * unknown for as long as the suspension lasts; their works would go on without them.
 */
export async function endWorksOfAppsOf(tx: Tx, ownerId: string): Promise<void> {
  await endWebhooksMadeBy(tx, grantsOfAppsOf(tx, ownerId))
  await endClients(tx, madeByAppsOf(tx, ownerId))
}
