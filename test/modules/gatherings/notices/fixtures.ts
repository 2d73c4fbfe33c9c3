import ICAL from 'ical.js'
import { listeners } from '@/areas'
import type { events } from '@/db/tables/events'
import type { groups } from '@/db/tables/groups'
import type { users } from '@/db/tables/users'
import { del, patch, post } from '../../../support/api'
import { drain } from '../../../support/drain'
import { makeCaller, makeEvent, makeGroup } from '../../../support/make'
import { inHours } from '../../../support/time'
import { type Mail, mailsTo } from '../../access/sign-in/fixtures'
import { type ReadEvent, readWithIcalJs } from '../feeds/calendar/ical-js'

export type EventMail = Mail & { calendar?: { method: 'REQUEST' | 'CANCEL'; text: string } }

type Fields = { group?: Partial<typeof groups.$inferInsert>; event?: Partial<typeof events.$inferInsert> }

/** An event in three days, somebody who runs it, and what may happen to it. */
export async function stage({ group: groupFields = {}, event: eventFields = {} }: Fields = {}) {
  const owner = await makeCaller(['manage:events'])
  const group = await makeGroup(groupFields, owner.user.id)
  const event = await makeEvent(group.id, { startTime: inHours(72), ...eventFields })
  const manage = `/v1/manage/groups/${group.id}/events/${event.id}`
  return {
    owner,
    group,
    event,
    change: (json: object) => patch(manage, { token: owner.token, json }),
    cancel: (json: object = {}) => post(`${manage}/cancel`, { token: owner.token, json }),
  }
}

/** Somebody who may come, and what was written to them. */
export async function makeGuest(eventId: string, fields: Partial<typeof users.$inferInsert> = {}) {
  const { user, token } = await makeCaller(['write:events', 'read:events', 'user'], fields)
  const path = `/v1/events/${eventId}/rsvp`
  return {
    user,
    token,
    rsvp: () => post(path, { token }),
    giveUp: () => del(path, { token }),
    /** The oldest first. */
    mails: async () => {
      await drain(listeners)
      return ((await mailsTo(user.email as string)) as EventMail[]).reverse()
    },
  }
}

export type Guest = Awaited<ReturnType<typeof makeGuest>>

type ReadInvitation = ReadEvent & {
  method: string
  organizer: string
  organizerName: string
  attendee: string
  attendeeName: string
  rsvp: string
  partstat: string
}

/** The entry of a mail as ical.js reads it. */
export function readInvitation({ calendar }: EventMail): ReadInvitation {
  if (calendar === undefined) throw new Error('There is no calendar entry')
  const parsed = new ICAL.Component(ICAL.parse(calendar.text))
  const [event, ...others] = parsed.getAllSubcomponents('vevent')
  if (event === undefined || others.length > 0) throw new Error('There has to be one entry')
  const [organizer, attendee] = ['organizer', 'attendee'].map((name) => event.getFirstProperty(name))
  return {
    ...(readWithIcalJs(calendar.text)[0] as ReadEvent),
    method: parsed.getFirstPropertyValue('method') as string,
    organizer: organizer?.getFirstValue() as string,
    organizerName: organizer?.getParameter('cn') as string,
    attendee: attendee?.getFirstValue() as string,
    attendeeName: attendee?.getParameter('cn') as string,
    rsvp: attendee?.getParameter('rsvp') as string,
    partstat: attendee?.getParameter('partstat') as string,
  }
}
