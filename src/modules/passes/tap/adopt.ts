import { newId } from '@/core/ids'
import { iso } from '@/core/shapes'
import type { Tx } from '@/db/client'
import { lockStrangerCounts } from '../connections/queries'
import { insertAdopted, listPassesTapped, takeStranger } from './queries'
import { announce } from './record'
import { strangerHash, strangerOf } from './stranger'

/** More than anybody meets in a day; a browser that tapped more keeps the newest. */
const ADOPTED_MAX = 200

/**
 * What a browser tapped before its owner signed in is theirs from now on. The records of the stranger go in the same
 * statement that reads them, so two sign-ins cannot both have them.
 */
export async function adoptTaps(tx: Tx, userId: string, request: Request): Promise<void> {
  const stranger = strangerOf(request)
  if (!stranger) return
  const hash = strangerHash(stranger.value)
  await lockStrangerCounts(tx, await listPassesTapped(tx, hash))
  const taken = await takeStranger(tx, hash, ADOPTED_MAX)
  if (taken.length === 0) return
  const taps = taken.map(({ ownerId, passId, createdAt }) => ({
    id: newId(),
    ownerId,
    passId,
    at: iso(new Date(createdAt)),
  }))
  await announce(tx, await insertAdopted(tx, userId, taps))
}
