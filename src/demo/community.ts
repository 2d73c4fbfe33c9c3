import { nowMs } from '@/core/clock'
import { readableCode } from '@/core/codes'
import { newId } from '@/core/ids'
import type { Tx } from '@/db/client'
import { overAt } from '@/modules/gatherings/events/time'
import { placeOrder } from '@/modules/gatherings/pass-sheets/place-order'
import { momentIn } from '@/web/local-time'
import { GROUPS } from './groups'
import { DAY_MS, daysAgo, HOUR_MS, hoursAgo } from './people'
import { PLANS, type Plan } from './plans'
import { insertCommunity } from './queries'

type Person = { id: string }

const BADGES = { kind: 'badges', paper: 'a4', startAt: 1, sort: 'name', checkinCodeId: null } as const

/** Seeds groups, events, RSVPs and check-ins, and emits their domain events. */
export async function seedCommunity(tx: Tx, people: Person[], organizers: Person[]) {
  const groups = GROUPS.map((group) => ({
    id: newId(),
    ...group,
    tags: [...group.tags],
  }))
  const events = PLANS.map((plan) => eventOf(plan, groups[plan.group]?.id as string))
  const favorites = groups.flatMap(({ id }, i) =>
    people
      .filter((_, n) => (n + i) % 2 === 0 || n % (i + 3) === 0)
      .map((person) => ({ userId: person.id, groupId: id })),
  )
  const checkins = PLANS.flatMap((plan, i) =>
    guestsOf(plan, people, plan.came ?? 0).map(({ id }) => ({
      id: newId(),
      eventId: (events[i] as { id: string }).id,
      userId: id,
      method: 'qr' as const,
    })),
  )
  await insertCommunity(tx, {
    groups,
    members: groups.flatMap(({ id }, i) => [
      { id: newId(), groupId: id, userId: (organizers[i] as Person).id, role: 'owner' as const },
      { id: newId(), groupId: id, userId: (people[20 + i] as Person).id, role: 'manager' as const },
      { id: newId(), groupId: id, userId: (people[30 + i] as Person).id, role: 'volunteer' as const },
    ]),
    favorites,
    events,
    codes: events.map(({ id }) => ({ id: newId(), eventId: id, code: readableCode(8) })),
    rsvps: PLANS.flatMap((plan, i) => rsvpsOf(plan, events[i] as { id: string }, people)),
    checkins,
  })
  // A print sheet of the first event.
  await placeOrder(tx, (organizers[0] as Person).id, (events[0] as { id: string }).id, BADGES)
  return { groups, favorites, checkins }
}

function eventOf(
  {
    days,
    weekday,
    at,
    hours = 2,
    about,
    tags = [],
    venue,
    maxAttendees,
    title,
    timezone,
    status = 'published',
    eventType = 'physical',
  }: Plan,
  groupId: string,
) {
  const startTime = startOf(days, weekday, at, timezone)
  const endTime = hours === null ? null : new Date(startTime.getTime() + hours * HOUR_MS)
  return {
    id: newId(),
    groupId,
    title,
    timezone,
    status,
    eventType,
    maxAttendees: maxAttendees ?? null,
    description: about,
    tags,
    startTime,
    endTime,
    overAt: overAt(startTime, endTime),
    venueName: venue?.[0] ?? null,
    venueCity: venue?.[1] ?? null,
    venueAddress: venue?.[2] ?? null,
    onlineUrl: eventType === 'physical' ? null : 'https://meet.folkmoot.example/room',
    publishedAt: status === 'draft' ? null : daysAgo(30),
    cancelReason: status === 'cancelled' ? 'The hall is flooded' : null,
    waitlistTail: 100,
  }
}

/** A start time that many days from now, in the event's time zone. */
function startOf(days: number, weekday: number | undefined, at: string, timezone: string): Date {
  let day = new Date(nowMs() + days * DAY_MS)
  while (weekday !== undefined && day.getUTCDay() !== weekday) day = new Date(day.getTime() + DAY_MS)
  return new Date(momentIn(timezone, `${day.toISOString().slice(0, 10)}T${at}`) ?? day)
}

const guestsOf = ({ group }: Plan, people: Person[], count: number) =>
  people.slice(group * 3, group * 3 + count)

/** RSVPs in order: confirmed while seats are free, then waitlisted. */
const rsvpsOf = (plan: Plan, { id: eventId }: { id: string }, people: Person[]) =>
  guestsOf(plan, people, plan.guests ?? 0).map((person, i) => {
    const waits = plan.maxAttendees !== undefined && i >= plan.maxAttendees
    return {
      id: newId(),
      eventId,
      userId: person.id,
      status: waits ? ('waitlisted' as const) : ('confirmed' as const),
      waitlistNumber: waits ? i + 1 : null,
      rsvpAt: hoursAgo(60 - i),
    }
  })
