import { eq } from 'drizzle-orm'
import { newId } from '@/core/ids'
import { db } from '@/db/client'
import { webhookMessages } from '@/db/tables/webhooks'
import type { Result } from '@/modules/developers/webhooks/deliveries/attempt'
import { patch, post } from '../../../support/api'
import { makeCaller } from '../../../support/make'
import { openReceiver } from '../../../support/receiver'

/** A person whose webhook hears when they change their profile. */
export async function makeListening(url: string, eventTypes = ['user.updated']) {
  const { token, user } = await makeCaller(['user', 'developer'])
  const made = await post('/v1/developer/webhooks', { token, json: { url, eventTypes } })
  if (made.status !== 201) throw new Error(`${made.status} ${made.text}`)
  let count = 0
  return {
    id: made.body.data.id as string,
    secret: made.body.data.secret as string,
    token,
    user,
    happen: () => patch('/v1/profile', { token, json: { bio: `change ${count++}` } }),
  }
}

/** A statement takes 65,534 parameters at most. */
const ROWS_AT_ONCE = 5000

/** Messages that are due. */
export const rowsFor = (webhookId: string, count: number) =>
  Array.from({ length: count }, () => ({
    id: newId(),
    webhookId,
    outboxId: newId(),
    eventType: 'user.updated',
    body: '{}',
    nextAttemptAt: new Date(),
  }))

export async function queue(webhookId: string, count: number) {
  const rows = rowsFor(webhookId, count)
  for (let from = 0; from < count; from += ROWS_AT_ONCE)
    await db.insert(webhookMessages).values(rows.slice(from, from + ROWS_AT_ONCE))
}

/** In the order in which they were written. */
export const messagesOf = (webhookId: string) =>
  db
    .select()
    .from(webhookMessages)
    .where(eq(webhookMessages.webhookId, webhookId))
    .orderBy(webhookMessages.id)

/** Holds every request until it is opened. */
export function openGate() {
  const gate = Promise.withResolvers<void>()
  const receiver = openReceiver(async () => {
    await gate.promise
    return new Response('ok')
  })
  return { ...receiver, open: gate.resolve }
}

/** What came of the first attempt. */
export const resultOf = (webhookId: string, messageId: string, success: boolean): Result => ({
  attemptId: newId(),
  messageId,
  webhookId,
  url: 'http://127.0.0.1:9/',
  attempt: 1,
  statusCode: success ? 200 : 500,
  isGone: false,
  success,
  error: success ? null : 'It answered 500',
  durationMs: 1,
  attemptedAt: new Date(),
  nextAttemptAt: success ? null : new Date(Date.now() + 5000),
})
