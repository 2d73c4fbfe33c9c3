import type { Caller } from '@/core/caller'
import { unauthorized } from '@/core/errors'
import type { Tx } from '@/db/client'
import { holdAccessToken } from './queries'

/**
 * The access token is held while an application makes something: whatever ends the token ends what it made, and would
 * not see this.
 */
export async function holdAccess(tx: Tx, { credential }: Caller): Promise<void> {
  if (credential.kind !== 'oauth') return
  if (!(await holdAccessToken(tx, credential.id, credential.grantId))) throw unauthorized(true)
}
