import type { Tx } from '@/db/client'
import { endClients } from '@/modules/access/oauth/end-clients'
import { madeByGrant } from '@/modules/access/oauth/queries'
import { emit } from '@/outbox/emit'
import { deleteGrant, lockGrantsOf } from './queries'

type Grant = { grantId: string; userId: string; clientId: string }

/** Revokes a grant, with everything that the application created. */
export async function endGrant(tx: Tx, grant: Grant): Promise<void> {
  await endClients(tx, madeByGrant(grant.grantId))
  await deleteGrant(tx, grant.grantId)
  await emit(tx, 'grant.revoked', grant)
}

export async function endGrantsOf(tx: Tx, userId: string): Promise<void> {
  for (const { id, clientId } of await lockGrantsOf(tx, userId))
    await endGrant(tx, { grantId: id, userId, clientId })
}
