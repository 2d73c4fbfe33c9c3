import type { Caller } from '@/core/caller'
import { notFound } from '@/core/errors'
import { db } from '@/db/client'
import { findGroupWithRole } from '@/modules/groups/queries'
import { eventMemory } from './memory'
import type { EventWithGroup } from './queries'

/** The event, for those who may know of it: drafts are nobody's, and an unlisted group's events its staff's. */
export async function visibleEvent(caller: Caller, eventId: string): Promise<EventWithGroup> {
  const found = await eventMemory.get(eventId)
  if (found === null || found.event.status === 'draft') throw notFound('Event')
  if (!found.group.isListed && !(await isStaff(caller, found.group.id))) throw notFound('Event')
  return found
}

export async function isStaff(caller: Caller, groupId: string): Promise<boolean> {
  if (caller.scopes.has('admin')) return true
  return Boolean((await findGroupWithRole(db, groupId, caller.userId))?.role)
}
