import { Type } from '@sinclair/typebox'
import { config } from '@/config/config'
import { action } from '@/core/action'
import { now } from '@/core/clock'
import { deliveredData, EVENTS, type EventType, objectOf } from '@/core/domain-events'
import { newId } from '@/core/ids'
import { pageOf, wholePage } from '@/core/page'
import { sampleOf } from '@/core/sample'
import { db } from '@/db/client'
import { transaction } from '@/db/transaction'
import { takeSequence } from '@/outbox/sequences'
import { attemptDelivery } from './deliveries/attempt'
import { insertAttempt, insertMessage } from './deliveries/queries'
import { bodyOf } from './fan-out/fan-out'
import { ownWebhook } from './own-webhook'
import { receiverOf } from './receiver'
import { TestInput, WebhookEventType, WebhookTestResult } from './schema'

const TEST_MS = 3000
/** A receiver that cannot be reached is said so after this long, whatever went wrong and when. */
const UNREACHED_MS = TEST_MS + 50
const SHOWN_BYTES = 2 * 1024

export const testWebhook = action({
  name: 'testWebhook',
  access: 'developer',
  summary: 'Send a test event and see what the receiver answers',
  description:
    'One attempt, which is logged like any other and not repeated. Of a receiver inside, which the operator opened to ' +
    'administrators, only the success is told.',
  input: TestInput,
  output: WebhookTestResult,
  errors: ['not_found'],
  run: async (caller, { id, eventType = 'webhook.test' }) => {
    const webhook = await ownWebhook(db, caller, id)
    const startedAt = performance.now()
    const message = {
      id: newId(),
      webhookId: id,
      attempts: 0,
      body: bodyOf(eventType, now(), await dataOf(eventType, { webhookId: id, userId: caller.userId })),
    }
    const limits = { timeoutMs: TEST_MS, bytesMax: SHOWN_BYTES }
    const { result, reply, isHidden } = await attemptDelivery(
      receiverOf(webhook, caller.role, now()),
      message,
      limits,
    )
    const outcome = { ...result, nextAttemptAt: null, ...(!reply && !isHidden && UNREACHED) }
    if (!reply || isHidden) await Bun.sleep(Math.max(0, UNREACHED_MS - (performance.now() - startedAt)))
    return transaction(async (tx) => {
      // It may have been deleted meanwhile.
      await ownWebhook(tx, caller, id, true)
      const status = result.success ? ('succeeded' as const) : ('failed' as const)
      const { attempts: _, ...row } = message
      await insertMessage(tx, { ...row, eventType, status, attempts: 1, nextAttemptAt: null })
      await insertAttempt(tx, outcome)
      return {
        success: result.success,
        statusCode: result.statusCode,
        responseBody: reply && !isHidden ? textOf(reply.body) : null,
      }
    })
  },
})

/** The reason, and how soon it was known, would tell what listens at an address. */
const UNREACHED = { error: 'The receiver could not be reached', durationMs: TEST_MS }

const isKnown = (type: string): type is EventType => Object.hasOwn(EVENTS, type)

async function dataOf(type: string, data: { webhookId: string; userId: string }) {
  if (isKnown(type) && type !== 'webhook.test') return sampleOf(deliveredData(EVENTS[type].data))
  return { ...data, sequence: await takeSequence(db, objectOf({ type: 'webhook.test', data })) }
}

/** What is not text is not shown. */
function textOf(bytes: Uint8Array): string | null {
  const text = new TextDecoder('utf-8').decode(bytes)
  return /[\u0000-\u0008\u000e-\u001f]/.test(text) ? null : text
}

export const listEventTypes = action({
  name: 'listEventTypes',
  access: 'developer',
  reads: true,
  summary: 'List what a webhook can hear of, with a sample of each',
  input: Type.Object({}),
  output: pageOf(WebhookEventType),
  run: () => CATALOGUE,
})

const SAMPLE_TIME = '2026-05-01T18:30:00.000Z'

const CATALOGUE = wholePage(
  Object.entries(EVENTS).map(([type, { description, scope, data }]) => ({
    type,
    description,
    schemaUrl: `${config.baseUrl}/schemas/${type}`,
    scope,
    sample: { type, timestamp: SAMPLE_TIME, data: sampleOf(deliveredData(data)) },
  })),
)
