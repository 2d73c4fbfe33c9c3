import { Type } from '@sinclair/typebox'
import { action } from '@/core/action'
import { now } from '@/core/clock'
import { id, oneOf, optional } from '@/core/fields'
import { pageFields, pageOf } from '@/core/page'
import { iso } from '@/core/shapes'
import { db } from '@/db/client'
import { keysetPage } from '@/db/keyset'
import { presentListItem } from '@/modules/gatherings/events/present'
import { EventListItem } from '@/modules/gatherings/events/schema'
import { viewerOf, visibleEvent } from '@/modules/gatherings/events/visible'
import { presentRsvp } from '../present'
import { EventGuest, Rsvp } from '../schema'
import { FIRST_COME, listGuests, listRsvpsOf, NEWEST_FIRST } from './queries'

export const listEventGuests = action({
  name: 'listEventGuests',
  access: 'read:events',
  openOnSite: true,
  summary: 'List confirmed guests',
  description: 'Confirmed guests with a public profile, in the order of their RSVPs.',
  input: Type.Object({ eventId: id(), ...pageFields }),
  output: pageOf(EventGuest),
  errors: ['not_found'],
  run: async (caller, { eventId, ...input }) => {
    await visibleEvent(caller, eventId)
    return keysetPage(
      {
        list: `guests:${eventId}`,
        input,
        order: FIRST_COME,
        rows: (after) => listGuests(db, eventId, after),
      },
      ({ username, name, avatarUrl, rsvpAt }) => ({
        username: username as string,
        name,
        avatarUrl,
        rsvpAt: iso(rsvpAt),
      }),
    )
  },
})

export const listMyRsvps = action({
  name: 'listMyRsvps',
  access: 'read:events',
  summary: 'List your RSVPs',
  input: Type.Object({
    ...pageFields,
    status: optional(
      oneOf(['confirmed', 'waitlisted', 'cancelled'], { description: 'Only those with this status.' }),
    ),
    when: optional(oneOf(['upcoming', 'past'], { description: 'Only upcoming events, or only past ones.' })),
  }),
  output: pageOf(Type.Object({ ...Rsvp.properties, event: EventListItem }, { $id: 'RsvpWithEvent' })),
  run: (caller, { status, when, ...input }) =>
    keysetPage(
      {
        list: `rsvps:${caller.userId}`,
        filters: { status, when },
        input,
        order: NEWEST_FIRST,
        rows: (after) => listRsvpsOf(db, viewerOf(caller), { status, when, at: now() }, after),
      },
      (row) => ({ ...presentRsvp(row.rsvp), event: presentListItem(row) }),
    ),
})
