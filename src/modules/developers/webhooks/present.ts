import { iso } from '@/core/shapes'
import type { AttemptRow } from './deliveries/queries'
import { reasonOf } from './disabled-reasons'
import type { MessageRow, WebhookRow } from './queries'
import type { Webhook, WebhookDelivery } from './schema'

export const presentWebhook = (
  { id, url, eventTypes, isActive, disabledReason, createdAt }: WebhookRow,
  secret?: string,
): Webhook => ({
  id,
  url,
  eventTypes,
  isActive,
  disabledReason: reasonOf(disabledReason),
  ...(secret !== undefined && { secret }),
  createdAt: iso(createdAt),
})

export const presentAttempt = (row: AttemptRow & { eventType: string; body: string }): WebhookDelivery => ({
  id: row.id,
  messageId: row.messageId,
  eventType: row.eventType,
  attempt: row.attempt,
  statusCode: row.statusCode,
  success: row.success,
  error: row.error,
  durationMs: row.durationMs,
  deliveredAt: iso(row.attemptedAt),
  nextAttemptAt: iso(row.nextAttemptAt),
  body: row.body,
})

/** What has yet to be sent, shown as the attempt that it will be. */
export const presentPending = (row: MessageRow): WebhookDelivery => ({
  id: row.id,
  messageId: row.id,
  eventType: row.eventType,
  attempt: row.attempts + 1,
  statusCode: null,
  success: false,
  error: null,
  durationMs: null,
  deliveredAt: null,
  nextAttemptAt: iso(row.nextAttemptAt),
  body: null,
})
