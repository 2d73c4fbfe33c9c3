import { newId } from '@/core/ids'
import type { Tx } from '@/db/client'
import { emit } from '@/outbox/emit'
import { insertClaim } from './queries'

type Asked = { groupId: string; userId: string; notes: string | null }

/** Puts a claim before the administrators. Undefined when one of this person is pending already. */
export async function ask(tx: Tx, { groupId, userId, notes }: Asked): Promise<string | undefined> {
  const claim = await insertClaim(tx, { id: newId(), groupId, userId, notes })
  if (claim) await emit(tx, 'group.claim_requested', { requestId: claim.id, groupId, userId })
  return claim?.id
}
