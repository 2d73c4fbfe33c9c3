import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { config } from '@/config/config'
import { DAY_MS, now } from '@/core/clock'
import type { EventData } from '@/core/domain-events'
import { id } from '@/core/fields'
import { sampled } from '@/core/metrics'
import { sweep } from '@/core/sweep'
import { db } from '@/db/client'
import { serve } from '@/http/serve'
import { letter } from '@/mail/letter'
import { post } from '@/mail/post'
import { listener } from '@/outbox/listener'
import { changeWebhook, createWebhook, deleteWebhook, listWebhooks, rotateWebhookSecret } from './actions'
import { listDeliveries, retryWebhookMessage } from './deliveries/actions'
import { countDeliveries, deleteOldMessages, deleteWordsToldOfTheGone } from './deliveries/queries'
import { deletePastRules } from './fan-out/queries'
import { findUrl } from './queries'
import { listEventTypes, testWebhook } from './testing-actions'

/** Tells an owner that a webhook was switched off. Where it goes is named, what was sent there is not. */
const webhookDisabledLetter = letter({
  name: 'webhook-disabled',
  kind: null,
  urgency: 'important',
  data: Type.Object({ webhookId: id() }),
  write: async ({ words: { accountMails } }, { webhookId }) => {
    const found = await findUrl(db, webhookId)
    // One that was deleted, or is well again, needs no word.
    if (found === undefined || found.isActive) return null
    const { subject, happened, next, button } = accountMails.webhookDisabled
    return {
      subject,
      parts: [
        { say: happened(new URL(found.url).host) },
        { say: next },
        { button, url: `${config.baseUrl}/developer/webhooks/${webhookId}` },
      ],
    }
  },
})

const webhookSweeps = [
  sweep({
    name: 'webhook messages',
    keeps: { ms: 30 * DAY_MS, after: 'the event' },
    run: (before) => deleteOldMessages(db, before),
  }),
  sweep({
    name: 'webhook messages about people who are gone',
    keeps: { ms: 0, after: 'it was delivered' },
    run: () => deleteWordsToldOfTheGone(db),
  }),
  sweep({
    name: 'past webhook rules',
    keeps: { ms: 0, after: 'the last event from before the change is passed on' },
    run: () => deletePastRules(db),
  }),
]

/** The Prometheus lines of messages to webhooks. */
async function deliveryLines(): Promise<string[]> {
  const { due, dead } = await countDeliveries(db, now())
  return sampled(
    'gauge',
    'folkmoot_webhook_messages',
    'Messages to webhooks: due, or dead, which were given up.',
    [
      [{ state: 'due' }, due],
      [{ state: 'dead' }, dead],
    ],
  )
}

/** The owner of a webhook that failed for days, or said that it is gone, gets a letter. */
const webhookMailListener = listener({
  name: 'webhook-disabled-mail',
  on: ['webhook.disabled'],
  react: (tx, { id, data }) => {
    const { webhookId, userId } = data as EventData<'webhook.disabled'>
    return post(tx, webhookDisabledLetter, [userId], { fact: id, data: { webhookId } })
  },
})

const webhookRoutes = new Elysia({ prefix: '/v1/developer', tags: ['Developer'] })
  .get('/event-types', ...serve(listEventTypes))
  .get('/webhooks', ...serve(listWebhooks))
  .post('/webhooks', ...serve(createWebhook, { status: 201 }))
  .patch('/webhooks/:id', ...serve(changeWebhook))
  .delete('/webhooks/:id', ...serve(deleteWebhook))
  .get('/webhooks/:id/deliveries', ...serve(listDeliveries))
  .post('/webhooks/:id/messages/:messageId/retry', ...serve(retryWebhookMessage))
  .post('/webhooks/:id/rotate-secret', ...serve(rotateWebhookSecret))
  .post('/webhooks/:id/test', ...serve(testWebhook))

export const webhooksArea = {
  routes: webhookRoutes,
  listeners: [webhookMailListener],
  letters: [webhookDisabledLetter],
  sweeps: webhookSweeps,
  metrics: [deliveryLines],
}
