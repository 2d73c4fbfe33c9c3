import { explainEnded } from '@/auth/ended-credential'
import type { Tx } from '@/db/client'
import { emit } from '@/outbox/emit'
import { deleteFeedTokenOf, findFeedToken, insertFeedToken, lockOwner } from './queries'
import { newFeedToken, tokenOf } from './secrets'

/** The token that a person has, or their first one. One that cannot be shown any more is replaced. */
export async function ensureFeedToken(tx: Tx, userId: string): Promise<string> {
  await lockOwner(tx, userId)
  const kept = await findFeedToken(tx, userId)
  return (kept && tokenOf(kept)) ?? replaceFeedToken(tx, userId)
}

/** A new token instead of the one that a person has. Another row, so that whatever hangs on the old one goes with it. */
export async function replaceFeedToken(tx: Tx, userId: string): Promise<string> {
  await lockOwner(tx, userId)
  const hadOne = await deleteFeedTokenOf(tx, userId)
  const { token, row } = newFeedToken(userId)
  await insertFeedToken(tx, row).catch(explainEnded)
  if (hadOne) await emit(tx, 'feed_token.rotated', { userId })
  return token
}
