import type { Caller } from '@/core/caller'
import { conflict, forbidden } from '@/core/errors'
import { isId } from '@/core/ids'
import { explain } from '@/db/conflicts'
import type { UserRow } from '@/modules/people/users/queries'
import type { StaffRole } from './role'

/**
 * Demands that a role reaches others: an owner may touch every role, a manager only volunteers, both before and after
 * the change.
 */
export function demandReach(own: StaffRole, ...touched: StaffRole[]) {
  if (own !== 'owner' && touched.some((role) => role !== 'volunteer'))
    throw forbidden('A manager may add, change and remove volunteers only')
}

/**
 * Whether staff may know of a person: a private profile must not be found out by adding it, and a person without a
 * username has an id.
 */
export const mayBeAdded = (caller: Caller, user: UserRow | undefined): user is UserRow =>
  user !== undefined &&
  ((user.profileVisibility === 'public' && user.suspendedAt === null) ||
    user.id === caller.userId ||
    caller.scopes.has('admin'))

/** A private member gives their username to people they trust, so it is enough to make them staff or award a badge; their id is not. */
export const mayBeNamed = (caller: Caller, user: UserRow | undefined, named: string): user is UserRow =>
  user !== undefined && ((user.suspendedAt === null && !isId(named)) || mayBeAdded(caller, user))

/** The database keeps an owner in every group; this explains its refusal to the last one. */
export const explainLastOwner = explain({
  group_members_last_owner: () => conflict('A group needs an owner: make somebody else an owner first'),
})
