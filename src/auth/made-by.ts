import type { Caller } from '@/core/caller'

export type Made = {
  maker: 'person' | 'token' | 'grant'
  madeByToken: string | null
  madeByGrant: string | null
}

/** The credential that a row depends on. A session counts as the person, who can delete the row. */
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

/** Whether the creating credential is gone. */
export const hasEnded = ({ maker, madeByToken, madeByGrant }: Made) =>
  maker !== 'person' && madeByToken === null && madeByGrant === null
