import { Unreachable } from '@/outbound/destination'
import type { Receiver } from './deliveries/attempt'
import type { WebhookRow } from './queries'
import { secretsOf } from './secrets'

/** A webhook as it is called at a moment. Opened when it is called: one that cannot be opened fails alone. */
export function receiverOf(webhook: WebhookRow, at: Date): () => Receiver {
  let opened: Receiver | undefined
  return () => {
    opened ??= { url: webhook.url, secrets: openSecrets(webhook, at) }
    return opened
  }
}

function openSecrets(webhook: WebhookRow, at: Date): Uint8Array[] {
  try {
    return secretsOf(webhook, at)
  } catch {
    throw new Unreachable('The secret can no longer be opened: give the webhook a new one')
  }
}
