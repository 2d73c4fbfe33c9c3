import { askerOf, type Caller } from '@/core/caller'
import { notFound, scopesMissing } from '@/core/errors'
import type { Scope } from '@/core/scopes'
import type { Db, Tx } from '@/db/client'
import { findWebhook, type WebhookRow } from './queries'

/**
 * The caller's webhook, for whatever is done with it. It gets events by the scopes that it was made with, so a credential
 * needs all of them to turn it elsewhere, to get its secret or to see its deliveries.
 */
export async function ownWebhook(
  where: Db | Tx,
  caller: Caller,
  id: string,
  lock = false,
): Promise<WebhookRow> {
  const found = await ownWebhookToEnd(where, caller, id, lock)
  const missing = found.scopes.filter((scope) => !caller.scopes.has(scope as Scope))
  if (missing.length > 0)
    throw scopesMissing(missing, 'This webhook hears more than this credential may: use one with its scopes')
  return found
}

/**
 * For what only takes away from it, which needs no more than the right to manage webhooks. Somebody else's is not there,
 * nor to an application what its grant has not made.
 */
export async function ownWebhookToEnd(
  where: Db | Tx,
  caller: Caller,
  id: string,
  lock = false,
): Promise<WebhookRow> {
  const found = await findWebhook(where, askerOf(caller), id, lock)
  if (!found) throw notFound('Webhook')
  return found
}
