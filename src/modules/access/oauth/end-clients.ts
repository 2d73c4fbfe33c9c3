import type { Tx } from '@/db/client'
import { endPictures } from '@/modules/people/uploads/use'
import { emitAll } from '@/outbox/emit'
import { type Clients, deleteClients, type Ended } from './queries'

/** Ends applications on every process, and those that were registered by their grants. Gives all that ended. */
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
