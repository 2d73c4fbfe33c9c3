import type { Caller } from '@/core/caller'
import { notFound } from '@/core/errors'
import { type Db, db, type Tx } from '@/db/client'
import { findGroupWithRole } from '@/modules/groups/queries'
import { eventMemory } from './memory'
import { type EventRow, type EventWithGroup, lockEventOfGroup } from './queries'

/** The event, for those who may know of it: drafts are nobody's, and an unlisted group's events its staff's. */
export async function visibleEvent(caller: Caller, eventId: string): Promise<EventWithGroup> {
  const found = await eventMemory.get(eventId)
  if (found === null || found.event.status === 'draft') throw notFound('Event')
  if (!found.group.isListed && !(await isStaff(caller, found.group.id))) throw notFound('Event')
  return found
}

/** The same event, held: what is decided about it now stays true until the commit. */
export async function lockVisibleEvent(tx: Tx, caller: Caller, eventId: string): Promise<EventRow> {
  const found = await lockEventOfGroup(tx, eventId)
  if (!found || found.event.status === 'draft') throw notFound('Event')
  if (!found.isListed && !(await isStaff(caller, found.event.groupId, tx))) throw notFound('Event')
  return found.event
}

export async function isStaff(caller: Caller, groupId: string, reader: Db | Tx = db): Promise<boolean> {
  if (caller.scopes.has('admin')) return true
  return Boolean((await findGroupWithRole(reader, groupId, caller.userId))?.role)
}
