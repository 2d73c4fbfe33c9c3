import { and, eq, gt, lte } from 'drizzle-orm'
import type { Db, Tx } from '@/db/client'
import { is } from '@/db/comparisons'
import { type After, ascending, descending, type Rows } from '@/db/keyset'
import { filters } from '@/db/statement-names'
import { events, rsvps } from '@/db/tables/events'
import { groups } from '@/db/tables/groups'
import { users } from '@/db/tables/users'
import {
  type EventWithGroup,
  groupOfEvent,
  type Viewer,
  visibleTo,
} from '@/modules/gatherings/events/queries'
import { publicUsers } from '@/modules/people/users/queries'
import { type PlacedRsvp, placed, type RsvpRow } from '../queries'

type GuestRow = {
  userId: string
  username: string | null
  name: string
  avatarUrl: string | null
  rsvpAt: Date
}

export const FIRST_COME = ascending<GuestRow>(
  [rsvps.rsvpAt, (row) => row.rsvpAt],
  [rsvps.userId, (row) => row.userId],
)

export const listGuests = (db: Db | Tx, eventId: string, after: After): Rows<GuestRow> =>
  db
    .select({
      userId: rsvps.userId,
      username: users.username,
      name: users.name,
      avatarUrl: users.avatarUrl,
      rsvpAt: rsvps.rsvpAt,
    })
    .from(rsvps)
    .innerJoin(users, eq(users.id, rsvps.userId))
    .where(and(eq(rsvps.eventId, eventId), is(rsvps.status, 'confirmed'), publicUsers, after))

type OwnRsvpRow = EventWithGroup & { rsvp: PlacedRsvp }

export const NEWEST_FIRST = descending<OwnRsvpRow>(
  [rsvps.rsvpAt, ({ rsvp }) => rsvp.rsvpAt],
  [rsvps.id, ({ rsvp }) => rsvp.id],
)

export const listRsvpsOf = (
  db: Db | Tx,
  viewer: Viewer,
  { status, when, at }: { status?: RsvpRow['status']; when?: 'upcoming' | 'past'; at: Date },
  after: After,
): Rows<OwnRsvpRow> =>
  db
    .select({
      rsvp: placed,
      event: events,
      group: groupOfEvent,
    })
    .from(rsvps)
    .innerJoin(events, eq(events.id, rsvps.eventId))
    .innerJoin(groups, eq(groups.id, events.groupId))
    .where(
      and(
        eq(rsvps.userId, viewer.userId),
        visibleTo(viewer),
        filters(
          status && eq(rsvps.status, status),
          when === 'upcoming' ? gt(events.overAt, at) : when === 'past' ? lte(events.overAt, at) : undefined,
        ),
        after,
      ),
    )
