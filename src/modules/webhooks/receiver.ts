import type { Receiver } from './deliveries/attempt'
import type { WebhookRow } from './queries'
import { secretsOf } from './secrets'

/** A webhook as it is called at a moment. */
export const receiverOf = (webhook: WebhookRow, at: Date): Receiver => ({
  url: webhook.url,
  secrets: secretsOf(webhook, at),
})
