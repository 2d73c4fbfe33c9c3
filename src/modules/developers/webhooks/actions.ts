import { Type } from '@sinclair/typebox'
import { explainEnded, hasEnded, holdAccess, makerOf } from '@/auth/ended-credential'
import { action } from '@/core/action'
import { askerOf } from '@/core/caller'
import { now } from '@/core/clock'
import { notFound } from '@/core/errors'
import { newId } from '@/core/ids'
import { Success } from '@/core/page'
import { db } from '@/db/client'
import { transaction } from '@/db/transaction'
import { deleteMessagesOf } from './deliveries/queries'
import { demandDestination, isAdministrators } from './destination'
import { keepPastRule } from './fan-out/queries'
import { ownWebhook, ownWebhookToEnd } from './own-webhook'
import { presentWebhook } from './present'
import {
  deleteWebhook as deleteRow,
  demandRoomForWebhook,
  insertWebhook,
  listWebhooksOf,
  switchOff,
  updateWebhook as updateRow,
} from './queries'
import { NewWebhook, Webhook, WebhookChange, WebhookInput } from './schema'
import { newSecret, replaced } from './secrets'

export const listWebhooks = action({
  name: 'listWebhooks',
  access: 'developer',
  reads: true,
  summary: 'List your webhooks',
  description: 'An application that asks for you sees those that it made itself.',
  input: Type.Object({}),
  output: Type.Object({ webhooks: Type.Array(Webhook) }),
  run: async (caller) => ({
    webhooks: (await listWebhooksOf(db, askerOf(caller))).map((row) => presentWebhook(row)),
  }),
})

export const createWebhook = action({
  name: 'createWebhook',
  access: 'developer',
  summary: 'Have an address told of what happens',
  description:
    'It hears what the credential that makes it may know, and ends with it when that is revoked. ' +
    'The secret, which signs deliveries, is shown now and never again.',
  input: NewWebhook,
  output: Webhook,
  errors: ['conflict'],
  secret: true,
  run: async (caller, { url, eventTypes = ['*'] }) => {
    const { userId, scopes } = caller
    await demandDestination(url, isAdministrators({ scopes: [...scopes] }, caller.role))
    return transaction(async (tx) => {
      await holdAccess(tx, caller)
      await demandRoomForWebhook(tx, userId)
      const id = newId()
      const secret = newSecret(id)
      const row = await insertWebhook(tx, {
        id,
        ownerId: userId,
        url,
        eventTypes,
        scopes: [...scopes],
        ...makerOf(caller),
        secret: secret.sealed,
      }).catch(explainEnded)
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
  description:
    'Every change but switching it off needs the scopes of the webhook. A caller who switches on a webhook whose ' +
    'credential has ended takes it over: it then ends with theirs.',
  errors: ['not_found'],
  run: async (caller, { id, ...change }) => {
    const own = onlySwitchesOff(change) ? ownWebhookToEnd : ownWebhook
    const webhook = await own(db, caller, id)
    await demandDestination(change.url, isAdministrators(webhook, caller.role))
    return transaction(async (tx) => {
      const before = await own(tx, caller, id, true)
      if (Object.keys(change).length === 0) return presentWebhook(before)
      await keepPastRule(tx, before)
      // A receiver that is switched on again, or is another one, begins with a clean slate.
      const isFresh = change.url !== undefined || (change.isActive === true && !before.isActive)
      const after = await updateRow(tx, id, {
        ...change,
        ...(isFresh && { failures: 0, failingSince: null }),
        ...(change.isActive && hasEnded(before) && makerOf(caller)),
      }).catch(explainEnded)
      return presentWebhook(after)
    })
  },
})

const onlySwitchesOff = ({ isActive, ...more }: { isActive?: boolean }) =>
  isActive === false && Object.keys(more).length === 0

export const deleteWebhook = action({
  name: 'deleteWebhook',
  access: 'developer',
  summary: 'Delete a webhook',
  input: WebhookInput,
  output: Success,
  errors: ['not_found'],
  run: async (caller, { id }) => {
    await ownWebhookToEnd(db, caller, id)
    // Its history may be long. Once it is off, nothing is added to it.
    await switchOff(db, id, null)
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
