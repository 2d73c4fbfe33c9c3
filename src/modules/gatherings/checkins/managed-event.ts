import type { Caller } from '@/core/caller'
import { notFound } from '@/core/errors'
import type { Db, Tx } from '@/db/client'
import { managedGroup } from '@/modules/community/groups/staff/managed-group'
import type { StaffRole } from '@/modules/community/groups/staff/role'
import { type EventRow, findEventOfGroup } from '@/modules/gatherings/events/queries'

export async function managedEvent(
  db: Db | Tx,
  caller: Caller,
  { groupId, eventId }: { groupId: string; eventId: string },
  needed: StaffRole,
): Promise<EventRow> {
  await managedGroup(db, caller, groupId, needed)
  const event = await findEventOfGroup(db, groupId, eventId)
  if (!event) throw notFound('Event')
  return event
}
