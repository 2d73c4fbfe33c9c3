import type { Tx } from '@/db/client'
import { oauthClients } from '@/db/tables/oauth'
import { endClients } from '@/modules/access/oauth/end-clients'
import { endWebhooksMadeBy } from '@/modules/developers/webhooks/queries'
import { picturePlace } from '@/modules/people/uploads/uses/queries'
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

export const appPictures = [
  picturePlace({
    field: 'logoUri',
    category: 'app-logo',
    column: oauthClients.logoUri,
    about: { clientId: oauthClients.clientId },
    // Logos are not cached.
    notify: async () => {},
  }),
]
