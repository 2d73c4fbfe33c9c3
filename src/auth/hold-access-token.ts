import type { Caller } from '@/core/caller'
import { unauthorized } from '@/core/errors'
import type { Tx } from '@/db/client'
import { holdAccessToken } from './queries'

/**
 * Locks the access token while an application creates something: revoking the token deletes what it created, and would miss this.
 */
export async function holdAccess(tx: Tx, { credential }: Caller): Promise<void> {
  if (credential.kind !== 'oauth') return
  if (!(await holdAccessToken(tx, credential.id, credential.grantId))) throw unauthorized(true)
}
