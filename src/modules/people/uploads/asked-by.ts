import { makerOf } from '@/auth/made-by'
import type { Caller } from '@/core/caller'
import type { UploadRow } from './queries'

type AskedBy = Pick<UploadRow, 'maker' | 'madeByToken' | 'madeByGrant' | 'madeBySession'>

/** The credential that asked for an address, with which the address ends. That goes for a session, too: it may be stolen. */
export const askedBy = (caller: Caller): AskedBy =>
  caller.credential.kind === 'session'
    ? { maker: 'session', madeByToken: null, madeByGrant: null, madeBySession: caller.credential.id }
    : { ...makerOf(caller), madeBySession: null }

/** An address lasts no longer than the token that asked for it. */
export function endOf({ credential }: Caller, latest: Date): Date {
  const end = credential.kind === 'token' ? credential.expiresAt : null
  return end !== null && end < latest ? end : latest
}
