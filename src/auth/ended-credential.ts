import type { Caller } from '@/core/caller'
import { unauthorized } from '@/core/errors'
import type { Tx } from '@/db/client'
import { explain } from '@/db/conflicts'
import { holdAccessToken } from './queries'

type Made = {
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

/**
 * Locks the access token while an application creates something: revoking the token deletes what it created, and would miss this.
 */
export async function holdAccess(tx: Tx, { credential }: Caller): Promise<void> {
  if (credential.kind !== 'oauth') return
  if (!(await holdAccessToken(tx, credential.id, credential.grantId))) throw unauthorized(true)
}

const ended = () => unauthorized(true)

/** A foreign key refuses rows of a credential that ended in the same moment. */
export const explainEnded = explain({
  webhooks_made_by_token: ended,
  webhooks_made_by_grant: ended,
  uploads_made_by_token: ended,
  uploads_made_by_grant: ended,
  uploads_made_by_session: ended,
  oauth_clients_made_by_grant_oauth_grants_id_fk: ended,
  feed_tokens_user_id_users_id_fk: ended,
  passes_owner_id_users_id_fk: ended,
  address_changes_session: ended,
})
