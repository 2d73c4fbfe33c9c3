import type { Role } from '@/core/caller'
import { Unreachable } from '@/outbound/destination'
import type { Receiver } from './deliveries/attempt'
import { isAdministrators } from './destination'
import type { WebhookRow } from './queries'
import { secretsOf } from './secrets'

/** A webhook as it is called at a moment, for an owner who has this role. */
export function receiverOf(webhook: WebhookRow, ownerRole: Role, at: Date): Receiver {
  let opened: Uint8Array[] | undefined
  return {
    url: webhook.url,
    isAdministrators: isAdministrators(webhook, ownerRole),
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
    throw new Unreachable('The secret can no longer be opened: give the webhook a new one', 'refused')
  }
}
