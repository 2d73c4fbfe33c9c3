import { Type } from '@sinclair/typebox'
import { action } from '@/core/action'
import { now } from '@/core/clock'
import { conflict, forbidden, notFound } from '@/core/errors'
import { newId } from '@/core/ids'
import { Success } from '@/core/page'
import type { Scope } from '@/core/scopes'
import { db } from '@/db/client'
import { transaction } from '@/db/transaction'
import { deleteMessagesOf, listAttempts, listPending, retryMessage } from './deliveries/queries'
import { demandDestination } from './destination'
import { ownWebhook } from './own'
import { presentAttempt, presentPending, presentWebhook } from './present'
import {
  countWebhooksOf,
  deleteWebhook as deleteRow,
  insertWebhook,
  keepPastRule,
  listWebhooksOf,
  lockOwner,
  switchOff,
  updateWebhook as updateRow,
} from './queries'
import {
  DeliveriesInput,
  MessageInput,
  NewWebhook,
  Webhook,
  WebhookChange,
  WebhookDelivery,
  WebhookInput,
} from './schema'
import { newSecret, replaced } from './secrets'

const WEBHOOKS_MAX = 20

export const listWebhooks = action({
  name: 'listWebhooks',
  access: 'developer',
  summary: 'List your webhooks',
  input: Type.Object({}),
  output: Type.Object({ webhooks: Type.Array(Webhook) }),
  run: async ({ userId }) => ({
    webhooks: (await listWebhooksOf(db, userId)).map((row) => presentWebhook(row)),
  }),
})

export const createWebhook = action({
  name: 'createWebhook',
  access: 'developer',
  summary: 'Have an address told of what happens',
  description:
    'It hears what the credential that makes it may know. The secret, which signs deliveries, is shown now and never again.',
  input: NewWebhook,
  output: Webhook,
  errors: ['conflict'],
  secret: true,
  run: async ({ userId, scopes }, { url, eventTypes = ['*'] }) => {
    await demandDestination(url)
    return transaction(async (tx) => {
      await lockOwner(tx, userId)
      if ((await countWebhooksOf(tx, userId)) >= WEBHOOKS_MAX)
        throw conflict(`You have ${WEBHOOKS_MAX} webhooks: delete one first`)
      const id = newId()
      const secret = newSecret(id)
      const row = await insertWebhook(tx, {
        id,
        ownerId: userId,
        url,
        eventTypes,
        scopes: [...scopes],
        secret: secret.sealed,
      })
      await keepPastRule(tx, { ...row, isActive: false })
      return presentWebhook(row, secret.shown)
    })
  },
})

export const changeWebhook = action({
  name: 'changeWebhook',
  access: 'developer',
  summary: 'Change a webhook, or switch it on or off',
  input: WebhookChange,
  output: Webhook,
  errors: ['not_found', 'forbidden'],
  run: async (caller, { id, ...change }) => {
    await ownWebhook(db, caller, id)
    await demandDestination(change.url)
    return transaction(async (tx) => {
      const before = await ownWebhook(tx, caller, id, true)
      if (Object.keys(change).length === 0) return presentWebhook(before)
      // It hears by the scopes it was made with: whoever turns it elsewhere needs them too.
      const redirects = change.url !== undefined || change.eventTypes !== undefined
      if (redirects && !before.scopes.every((scope) => caller.scopes.has(scope as Scope)))
        throw forbidden('This webhook hears more than this credential may: use one with its scopes')
      await keepPastRule(tx, before)
      // A receiver that is switched on again, or is another one, begins with a clean slate.
      const isFresh = change.url !== undefined || (change.isActive === true && !before.isActive)
      const after = await updateRow(tx, id, {
        ...change,
        ...(isFresh && { failures: 0, failingSince: null }),
      })
      return presentWebhook(after)
    })
  },
})

export const deleteWebhook = action({
  name: 'deleteWebhook',
  access: 'developer',
  summary: 'Delete a webhook',
  input: WebhookInput,
  output: Success,
  errors: ['not_found'],
  run: async (caller, { id }) => {
    await ownWebhook(db, caller, id)
    // Its history may be long. Once it is off, nothing is added to it.
    await switchOff(db, id)
    await deleteMessagesOf(db, id)
    return transaction(async (tx) => {
      if (!(await deleteRow(tx, caller.userId, id))) throw notFound('Webhook')
      return { success: true } as const
    })
  },
})

export const rotateWebhookSecret = action({
  name: 'rotateWebhookSecret',
  access: 'developer',
  summary: 'Give a webhook a new secret',
  description: 'The old one signs too for another 24 hours, so that receivers can change over.',
  input: WebhookInput,
  output: Webhook,
  errors: ['not_found'],
  secret: true,
  run: (caller, { id }) =>
    transaction(async (tx) => {
      const before = await ownWebhook(tx, caller, id, true)
      const secret = newSecret(id)
      const after = await updateRow(tx, id, replaced(before, secret, now()))
      return presentWebhook(after, secret.shown)
    }),
})

export const listDeliveries = action({
  name: 'listWebhookDeliveries',
  access: 'developer',
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
