import type { EventData } from '@/core/domain-events'
import { post } from '@/mail/post'
import { listener } from '@/outbox/listener'
import { webhookDisabledLetter } from './letters'

/** The owner of a webhook that failed for days, or said that it is gone, gets a letter. */
export const webhookMailListener = listener({
  name: 'webhook-disabled-mail',
  on: ['webhook.disabled'],
  react: (tx, { id, data }) => {
    const { webhookId, userId } = data as EventData<'webhook.disabled'>
    return post(tx, webhookDisabledLetter, [userId], { fact: id, data: { webhookId } })
  },
})
