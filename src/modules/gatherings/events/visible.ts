import type { Caller } from '@/core/caller'
import { notFound } from '@/core/errors'
import { type Db, db, type Tx } from '@/db/client'
import { findGroupWithRole } from '@/modules/community/groups/queries'
import { eventCache } from './cache'
import { type EventRow, type EventWithGroup, isVisible, lockEventOfGroup, type Viewer } from './queries'

export const viewerOf = ({ userId, scopes }: Caller): Viewer => ({
  userId,
  isAdministrator: scopes.has('admin'),
})

/** The event, for those who may know of it. What everyone may know costs no question. */
export async function visibleEvent(caller: Caller, eventId: string): Promise<EventWithGroup> {
  const found = await eventCache.get(eventId)
  if (found === null || !(await mayKnow(db, caller, found.event, found.group))) throw notFound('Event')
  return found
}

/** The same event, held: what is decided about it now stays true until the commit. */
export async function lockVisibleEvent(tx: Tx, caller: Caller, eventId: string): Promise<EventRow> {
  const found = await lockEventOfGroup(tx, eventId)
  if (!found || !(await mayKnow(tx, caller, found.event, found))) throw notFound('Event')
  return found.event
}

const mayKnow = (
  reader: Db | Tx,
  caller: Caller,
  event: EventRow,
  { isListed }: { isListed: boolean },
): true | Promise<boolean> =>
  (isListed && event.status !== 'draft') || isVisible(reader, viewerOf(caller), event.id)

export async function isStaff(caller: Caller, groupId: string, reader: Db | Tx = db): Promise<boolean> {
  if (caller.scopes.has('admin')) return true
  return Boolean((await findGroupWithRole(reader, groupId, caller.userId))?.role)
}
