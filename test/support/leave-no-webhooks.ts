import { afterAll } from 'bun:test'
import { db } from '@/db/client'
import { webhooks } from '@/db/tables/webhooks'

/** For files that make webhooks and deliver nothing: an administrator's would hear what all later tests do. */
export function leaveNoWebhooks(): void {
  afterAll(async () => {
    await db.delete(webhooks)
  })
}
