import type { EventData } from '@/core/domain-events'
import { db } from '@/db/client'
import { deliverMail } from '@/outbound/mail/send'
import { listener } from '@/outbox/listener'
import { disabledMail } from './mails'
import { findUrlAndOwner } from './queries'

/** The owner of a webhook that failed for days, or said that it is gone, gets a mail. One that was deleted since needs none. */
export const disabledMailListener = listener({
  name: 'webhook-disabled-mail',
  on: ['webhook.disabled'],
  effect: async ({ data }) => {
    const found = await findUrlAndOwner(db, (data as EventData<'webhook.disabled'>).webhookId)
    if (found?.email) await deliverMail(disabledMail(found.email, found.url))
  },
})
