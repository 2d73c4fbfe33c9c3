import { Type } from '@sinclair/typebox'
import { action } from '@/core/action'
import { now } from '@/core/clock'
import { notFound } from '@/core/errors'
import { Success } from '@/core/page'
import { db } from '@/db/client'
import { transaction } from '@/db/transaction'
import { ownWebhook } from '../own-webhook'
import { presentAttempt, presentPending } from '../present'
import { DeliveriesInput, MessageInput, WebhookDelivery } from '../schema'
import { listAttempts, listPending, retryMessage } from './queries'

export const listDeliveries = action({
  name: 'listWebhookDeliveries',
  access: 'developer',
  reads: true,
  summary: 'See what was sent, what came of it and what is still to be sent',
  input: DeliveriesInput,
  output: Type.Object({ deliveries: Type.Array(WebhookDelivery) }),
  errors: ['not_found'],
  run: async (caller, { id, limit, status }) => {
    await ownWebhook(db, caller, id)
    if (status === 'pending') return { deliveries: (await listPending(db, id, limit)).map(presentPending) }
    const success = status === undefined ? undefined : status === 'succeeded'
    return { deliveries: (await listAttempts(db, id, success, limit)).map(presentAttempt) }
  },
})

export const retryWebhookMessage = action({
  name: 'retryWebhookMessage',
  access: 'developer',
  summary: 'Send a message again',
  description: 'An attempt is queued now, whatever became of the earlier ones. The id stays the same.',
  input: MessageInput,
  output: Success,
  errors: ['not_found'],
  run: (caller, { id, messageId }) =>
    transaction(async (tx) => {
      await ownWebhook(tx, caller, id)
      if (!(await retryMessage(tx, id, messageId, now()))) throw notFound('Message')
      return { success: true } as const
    }),
})
