import type { Caller } from '@/core/caller'
import { notFound } from '@/core/errors'
import type { Db, Tx } from '@/db/client'
import { findWebhook, type WebhookRow } from './queries'

/** Somebody else's webhook is not there. */
export async function ownWebhook(
  where: Db | Tx,
  { userId }: Caller,
  id: string,
  lock = false,
): Promise<WebhookRow> {
  const found = await findWebhook(where, userId, id, lock)
  if (!found) throw notFound('Webhook')
  return found
}
