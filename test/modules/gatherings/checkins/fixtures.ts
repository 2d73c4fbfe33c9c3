import { newId } from '@/core/ids'
import { db } from '@/db/client'
import { checkins, type events, rsvps } from '@/db/tables/events'
import { transaction } from '@/db/transaction'
import { type CodeFields, makeCheckinCode } from '@/modules/gatherings/checkins/codes'
import { makeCaller, makeEvent, makeStaffedGroup } from '../../../support/make'

export const makeCode = (eventId: string, fields?: CodeFields) =>
  transaction((tx) => makeCheckinCode(tx, eventId, fields))

/** A group with somebody in each role, and an event of it. */
export async function makeStaffedEvent(fields: Partial<typeof events.$inferInsert> = {}) {
  const staffed = await makeStaffedGroup(['manage:checkins'], { photoUrl: 'https://example.org/group.png' })
  const { group } = staffed
  const event = await makeEvent(group.id, fields)
  const manage = `/v1/manage/groups/${group.id}`
  return { ...staffed, event, manage, at: `${manage}/events/${event.id}` }
}

export const makeGuest = () => makeCaller(['write:events'])

export async function makeRsvp(
  eventId: string,
  userId: string,
  fields: Partial<typeof rsvps.$inferInsert> = {},
) {
  const [row] = await db
    .insert(rsvps)
    .values({ id: newId(), eventId, userId, status: 'confirmed', ...fields })
    .returning()
  return row as typeof rsvps.$inferSelect
}

export async function makeCheckin(
  eventId: string,
  userId: string,
  fields: Partial<typeof checkins.$inferInsert> = {},
) {
  const [row] = await db
    .insert(checkins)
    .values({ id: newId(), eventId, userId, method: 'manual', ...fields })
    .returning()
  return row as typeof checkins.$inferSelect
}
