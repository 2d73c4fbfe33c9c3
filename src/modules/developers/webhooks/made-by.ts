import type { Caller } from '@/core/caller'
import type { WebhookRow } from './queries'

type Made = Pick<WebhookRow, 'maker' | 'madeByToken' | 'madeByGrant'>

/** What answers for a webhook, and ends it by its own end. A session is the person, who can take the webhook away. */
export function makerOf({ credential }: Caller): Made {
  switch (credential.kind) {
    case 'session':
    case 'operator':
      return { maker: 'person', madeByToken: null, madeByGrant: null }
    case 'token':
      return { maker: 'token', madeByToken: credential.id, madeByGrant: null }
    case 'oauth':
      return { maker: 'grant', madeByToken: null, madeByGrant: credential.grantId }
  }
}

/** Whether what made it is gone. */
export const hasEnded = ({ maker, madeByToken, madeByGrant }: Made) =>
  maker !== 'person' && madeByToken === null && madeByGrant === null
