import { effectiveScopes, type Scope } from '@/core/scopes'
import type { Tx } from '@/db/client'
import { endWebhooksOfGrant, narrowWebhooksMadeBy } from '@/modules/developers/webhooks/queries'
import { endClients } from './end-clients'
import { madeByGrant } from './queries'

/** Ends what a remaining grant created: disables its webhooks, deletes its applications. */
export async function endCreationsOf(tx: Tx, grantId: string): Promise<void> {
  await endWebhooksOfGrant(tx, grantId)
  await endClients(tx, madeByGrant(grantId))
}

/** Narrows what a grant created to its remaining scopes. */
export async function narrowCreationsOf(tx: Tx, grantId: string, left: readonly Scope[]): Promise<void> {
  const reached = effectiveScopes(left, true)
  if (!reached.has('developer')) return endCreationsOf(tx, grantId)
  await narrowWebhooksMadeBy(tx, grantId, [...reached])
}
