import type { Caller } from '@/core/caller'

export type Made = {
  maker: 'person' | 'token' | 'grant'
  madeByToken: string | null
  madeByGrant: string | null
}

/** What answers for a thing, and ends it by its own end. A session is the person, who can take the thing away. */
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
