import type { Tx } from '@/db/client'
import { endPictures } from '@/modules/people/uploads/use'
import { emitAll } from '@/outbox/emit'
import { type Clients, deleteClients, type Ended } from './queries'

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
