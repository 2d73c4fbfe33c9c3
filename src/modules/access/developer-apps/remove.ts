import type { Tx } from '@/db/client'
import { endClients } from '@/modules/access/oauth/end-clients'
import { endWebhooksMadeBy } from '@/modules/developers/webhooks/queries'
import { grantsOfAppsOf, madeByAppsOf, ownedBy } from './queries'

/** Deletes all applications of a deleted account, with their grants. */
export const removeAppsOf = (tx: Tx, ownerId: string) => endClients(tx, ownedBy(ownerId))

/**
 * Ends what a suspended developer's applications created for other people. The applications themselves are disabled during the
 * suspension, but their webhooks would continue.
 */
export async function endCreationsOfAppsOf(tx: Tx, ownerId: string): Promise<void> {
  await endWebhooksMadeBy(tx, grantsOfAppsOf(tx, ownerId))
  await endClients(tx, madeByAppsOf(tx, ownerId))
}
