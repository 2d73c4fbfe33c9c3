import type { Tx } from '@/db/client'
import { deleteMessages } from './deliveries/queries'
import { listWebhooksOf } from './queries'

/**
 * The database does this by itself when somebody goes, in one statement. A million messages would take longer than a
 * statement may, so they go ahead, by portions in the same transaction: whoever may not go after all loses none.
 */
export async function forgetMessages(tx: Tx, userId: string): Promise<void> {
  for (const { id } of await listWebhooksOf(tx, { userId, grantId: null }))
    for (let from: string | null = '-infinity'; from !== null; ) from = await deleteMessages(tx, id, from)
}
