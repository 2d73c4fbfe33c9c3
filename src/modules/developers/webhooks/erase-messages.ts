import type { Tx } from '@/db/client'
import { deleteMessages, deleteWordsTold } from './deliveries/queries'
import { listWebhooksOf } from './queries'

/**
 * Messages of a person who deletes their account go in portions, ahead of the row and in its transaction: the cascade would
 * delete them in one statement, and a million of them take longer than a statement may.
 */
export async function eraseMessages(tx: Tx, userId: string): Promise<void> {
  for (const { id } of await listWebhooksOf(tx, { userId, grantId: null }))
    for (let from: string | null = '-infinity'; from !== null; ) from = await deleteMessages(tx, id, from)
  await deleteWordsTold(tx, userId)
}
