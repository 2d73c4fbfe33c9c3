import { effectiveScopes, type Scope } from '@/core/scopes'
import type { Tx } from '@/db/client'
import { endWebhooksOfGrant, narrowWebhooksMadeBy } from '@/modules/developers/webhooks/queries'
import { endClients } from './end-clients'
import { madeByGrant } from './queries'

/**
 * Ends the works of a grant that stays: webhooks that the application made are switched off, applications that it
 * registered are deleted.
 */
export async function endWorksOf(tx: Tx, grantId: string): Promise<void> {
  await endWebhooksOfGrant(tx, grantId)
  await endClients(tx, madeByGrant(grantId))
}

/** Narrows the works of a grant to the scopes that it still has. */
export async function narrowWorksOf(tx: Tx, grantId: string, left: readonly Scope[]): Promise<void> {
  const reached = effectiveScopes(left, true)
  if (!reached.has('developer')) return endWorksOf(tx, grantId)
  await narrowWebhooksMadeBy(tx, grantId, [...reached])
}
