import type { Caller } from '@/core/caller'
import { newId } from '@/core/ids'
import { transaction } from '@/db/transaction'
import { follow } from '@/modules/people/follows/follow'
import type { OwnedPass } from '../passes/owned-pass'
import { pairStateNow } from './pair-state'
import type { PairState } from './queries'
import { connect, recordPerson } from './record'

/** Connects a person with the owner of a pass, and gives how they stand now: not connected if it went out of use meanwhile. */
export async function meet({ pass, owner }: OwnedPass, caller: Caller): Promise<PairState> {
  if (pass.autoFollow && owner.isPublic && caller.scopes.has('user'))
    await meetAndFollow(pass.id, owner.id, caller)
  else await recordPerson({ passId: pass.id, ownerId: owner.id, visitor: caller.userId })
  return pairStateNow(caller.userId, owner.id)
}

/** Whoever stopped following somebody does not begin again by the next tap. */
const meetAndFollow = (passId: string, ownerId: string, caller: Caller): Promise<void> =>
  transaction(async (tx) => {
    const [recorded] = await connect(tx, [{ id: newId(), passId, ownerId, visitor: caller.userId }])
    if (recorded?.isNew) await follow(tx, caller, ownerId)
  })
