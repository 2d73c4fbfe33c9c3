import { and, asc, eq, gt, gte, inArray, isNotNull, isNull, lt, type SQL, sql } from 'drizzle-orm'
import type { Db } from '@/db/client'
import { is } from '@/db/comparisons'
import { events, rsvps } from '@/db/tables/events'
import { favorites, groups } from '@/db/tables/groups'
import { mailSwitches, mails } from '@/db/tables/mails'
import { users } from '@/db/tables/users'

const KIND = 'weeklyDigest'

const subscribed = (): SQL | undefined =>
  and(
    is(mailSwitches.kind, KIND),
    is(mailSwitches.isOn, true),
    isNotNull(users.email),
    isNull(users.suspendedAt),
  )

/** The zones of all subscribers, including null. */
export const listZones = (db: Db) =>
  db
    .selectDistinct({ timeZone: users.timeZone })
    .from(mailSwitches)
    .innerJoin(users, eq(users.id, mailSwitches.userId))
    .where(subscribed())

type Portion = { timeZone: string | null; letter: string; fact: string; after: string; limit: number }

/** Subscribers of a zone who have not got the letter, by id. */
export const listSubscribers = (db: Db, { timeZone, letter, fact, after, limit }: Portion) =>
  db
    .select({ userId: users.id })
    .from(mailSwitches)
    .innerJoin(users, eq(users.id, mailSwitches.userId))
    .where(
      and(
        subscribed(),
        sql`${users.timeZone} is not distinct from ${timeZone}::text`,
        gt(mailSwitches.userId, after),
        sql`not exists (select 1 from ${mails} sent where sent.user_id = ${users.id}
          and sent.letter = ${letter} and sent.fact = ${fact})`,
      ),
    )
    .orderBy(asc(mailSwitches.userId))
    .limit(limit)

const shown = {
  id: events.id,
  title: events.title,
  startTime: events.startTime,
  endTime: events.endTime,
  timezone: events.timezone,
  groupName: groups.name,
}

type Week = { from: Date; until: Date; limit: number }

const inWeek = ({ from, until }: Week): SQL | undefined =>
  and(is(events.status, 'published'), gte(events.startTime, from), lt(events.startTime, until))

/** The week's events with the person's RSVP. */
export const listPlans = (db: Db, userId: string, week: Week) =>
  db
    .select({ ...shown, status: rsvps.status })
    .from(rsvps)
    .innerJoin(events, eq(events.id, rsvps.eventId))
    .innerJoin(groups, eq(groups.id, events.groupId))
    .where(and(eq(rsvps.userId, userId), inArray(rsvps.status, ['confirmed', 'waitlisted']), inWeek(week)))
    .orderBy(events.startTime, events.id)
    .limit(week.limit)

/** Events of listed groups that the person joined. */
export const listOfGroups = (db: Db, userId: string, week: Week) =>
  db
    .select(shown)
    .from(favorites)
    .innerJoin(groups, and(eq(groups.id, favorites.groupId), is(groups.isListed, true)))
    .innerJoin(events, eq(events.groupId, groups.id))
    .where(and(eq(favorites.userId, userId), inWeek(week)))
    .orderBy(events.startTime, events.id)
    .limit(week.limit)
