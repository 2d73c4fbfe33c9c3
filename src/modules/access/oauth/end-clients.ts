import { effectiveScopes, type Scope } from '@/core/scopes'
import type { Tx } from '@/db/client'
import { endWebhooksOfGrant, narrowWebhooksMadeBy } from '@/modules/developers/webhooks/queries'
import { endPictures } from '@/modules/people/uploads/use'
import { emitAll } from '@/outbox/emit'
import { type Clients, deleteClients, type Ended, madeByGrant } from './queries'

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

/** Deletes applications in every process, and those registered by their grants. Returns all deleted. */
export async function endClients(tx: Tx, which: Clients): Promise<Ended[]> {
  const ended = await deleteClients(tx, which)
  await endPictures(
    tx,
    ended.map(({ logoUri }) => logoUri),
  )
  await emitAll(
    tx,
    'app.deleted',
    ended.map(({ clientId, ownerId }) => ({ clientId, userId: ownerId })),
  )
  return ended
}
