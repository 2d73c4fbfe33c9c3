import type { Caller } from '@/core/caller'
import { conflict, forbidden } from '@/core/errors'
import { isId } from '@/core/ids'
import { refusals } from '@/core/refusals'
import { db, type Tx } from '@/db/client'
import { explain } from '@/db/conflicts'
import type { UserRow } from '@/modules/people/users/queries'
import { cache } from '@/outbox/cache'
import { hasOwner, isLastOwner } from './queries'
import type { StaffRole } from './role'

/** Whether a group has an owner. */
const owned = cache<boolean>({
  max: 5000,
  load: (groupId) => hasOwner(db, groupId),
  drops: ({ type, data }, drop) => {
    if (/^(member|group)\./.test(type) && 'groupId' in data && data.groupId) drop.key(data.groupId)
    // A deleted user may have owned any number of groups.
    if (type === 'user.deleted') drop.all()
  },
})

export const isOwned = (groupId: string) => owned.get(groupId)

/** Owners may change every role, managers only volunteers, both before and after the change. */
export function demandReach(own: StaffRole, ...touched: StaffRole[]) {
  if (own !== 'owner' && touched.some((role) => role !== 'volunteer'))
    throw forbidden(refusals.volunteersOnly)
}

/** Adding a person must not reveal that a private profile exists. People without a username are named by id. */
export const mayBeAdded = (caller: Caller, user: UserRow | undefined): user is UserRow =>
  user !== undefined &&
  ((user.profileVisibility === 'public' && user.suspendedAt === null) ||
    user.id === caller.userId ||
    caller.scopes.has('admin'))

/**
 * Private members share their username with people they trust, so it suffices to make them staff or award a badge; their id does
 * not.
 */
export const mayBeNamed = (caller: Caller, user: UserRow | undefined, named: string): user is UserRow =>
  user !== undefined && ((user.suspendedAt === null && !isId(named)) || mayBeAdded(caller, user))

const lastOwner = () => conflict(refusals.lastOwner)

/** The database constraint keeps an owner in every group; this explains the error. */
export const explainLastOwner = explain({ group_members_last_owner: lastOwner })

/** Refuses before expensive work what the constraint would refuse after it. */
export async function demandOtherOwners(tx: Tx, userId: string): Promise<void> {
  if (await isLastOwner(tx, userId)) throw lastOwner()
}
