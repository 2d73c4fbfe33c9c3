import { now } from '@/core/clock'
import { conflict } from '@/core/errors'
import type { Tx } from '@/db/client'
import { findStanding } from './queries'

/** Whoever took an account over by its address cannot destroy it before its owner could take it back. */
export async function demandSettledAddress(tx: Tx, userId: string): Promise<void> {
  const change = await findStanding(tx, userId, now())
  if (!change) return
  // The minute after: until then it is refused for certain.
  const until = new Date(change.undoUntil.getTime() + 59_999).toISOString().slice(0, 16).replace('T', ' ')
  throw conflict(
    `Your address was changed lately, and the old one can undo that until ${until} UTC: undo it by the link mailed there, or delete your account after that`,
  )
}
