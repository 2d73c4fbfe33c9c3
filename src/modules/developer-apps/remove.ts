import type { Tx } from '@/db/client'
import { emit } from '@/db/outbox'
import { deleteAppsOf } from './queries'

/** Removes every application of a person who leaves; what others allowed them ends with them. */
export async function removeAppsOf(tx: Tx, ownerId: string): Promise<void> {
  for (const clientId of await deleteAppsOf(tx, ownerId))
    await emit(tx, 'app.deleted', { clientId, userId: ownerId })
}
