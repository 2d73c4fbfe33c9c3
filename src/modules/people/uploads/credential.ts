import { makerOf } from '@/auth/made-by'
import type { Caller } from '@/core/caller'
import type { UploadRow } from './queries'

type RequestedBy = Pick<UploadRow, 'maker' | 'madeByToken' | 'madeByGrant' | 'madeBySession'>

/** The credential that requested the upload URL; revoking it revokes the URL. Includes sessions, which may be stolen. */
export const requestedBy = (caller: Caller): RequestedBy =>
  caller.credential.kind === 'session'
    ? { maker: 'session', madeByToken: null, madeByGrant: null, madeBySession: caller.credential.id }
    : { ...makerOf(caller), madeBySession: null }

/** The URL expires no later than the token that requested it. */
export function expiryFor({ credential }: Caller, latest: Date): Date {
  const end = credential.kind === 'token' ? credential.expiresAt : null
  return end !== null && end < latest ? end : latest
}
