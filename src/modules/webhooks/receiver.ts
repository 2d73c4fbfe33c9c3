import { Unreachable } from '@/outbound/destination'
import type { Receiver } from './deliveries/attempt'
import type { WebhookRow } from './queries'
import { secretsOf } from './secrets'

/** A webhook as it is called at a moment. */
export function receiverOf(webhook: WebhookRow, at: Date): Receiver {
  let opened: Uint8Array[] | undefined
  return {
    url: webhook.url,
    secrets: () => {
      opened ??= openSecrets(webhook, at)
      return opened
    },
  }
}

function openSecrets(webhook: WebhookRow, at: Date): Uint8Array[] {
  try {
    return secretsOf(webhook, at)
  } catch {
    throw new Unreachable('The secret can no longer be opened: give the webhook a new one')
  }
}
