import { nowMs } from '@/core/clock'
import { readableCode } from '@/core/codes'
import { newId } from '@/core/ids'
import type { Tx } from '@/db/client'
import { overAt } from '@/modules/events/time'
import { insertCommunity } from './queries'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** Groups of the town; each is owned by the organizer of the same place in the list. */
const GROUPS = [
  {
    urlname: 'riverside-cyclists',
    name: 'Riverside Cyclists',
    tags: ['outdoors', 'sport'],
    themeColor: 'forest',
    isFeatured: true,
  },
  {
    urlname: 'board-game-tuesdays',
    name: 'Board Game Tuesdays',
    tags: ['games', 'social'],
    themeColor: 'violet',
    isFeatured: true,
  },
  {
    urlname: 'makers-of-mill-lane',
    name: 'Makers of Mill Lane',
    tags: ['making', 'tech'],
    themeColor: 'ocean',
    isFeatured: false,
  },
  {
    urlname: 'old-town-readers',
    name: 'Old Town Readers',
    tags: ['books'],
    themeColor: 'rose',
    isFeatured: false,
  },
  {
    urlname: 'night-sky-watchers',
    name: 'Night Sky Watchers',
    tags: ['science', 'outdoors'],
    themeColor: 'slate',
    isFeatured: false,
  },
] as const

type Plan = {
  group: number
  title: string
  /** From now; negative has been. */
  days: number
  hours?: number | null
  timezone: string
  status?: 'draft' | 'published' | 'cancelled'
  eventType?: 'physical' | 'online' | 'hybrid'
  maxAttendees?: number
  venue?: [name: string, city: string]
  guests?: number
  came?: number
}

/** Every state that an event can be in, in several zones. */
const EVENTS: Plan[] = [
  {
    group: 0,
    title: 'Sunday ride along the river',
    days: 3,
    hours: 4,
    timezone: 'Europe/Berlin',
    venue: ['North Gate', 'Berlin'],
    guests: 14,
  },
  {
    group: 0,
    title: 'Repair evening',
    days: 9,
    timezone: 'Europe/Berlin',
    maxAttendees: 6,
    venue: ['The Shed', 'Berlin'],
    guests: 11,
  },
  {
    group: 0,
    title: 'Spring tour',
    days: -20,
    hours: 6,
    timezone: 'Europe/Berlin',
    venue: ['North Gate', 'Berlin'],
    guests: 18,
    came: 12,
  },
  {
    group: 1,
    title: 'Long game night',
    days: 2,
    hours: 5,
    timezone: 'America/New_York',
    maxAttendees: 8,
    venue: ['Corner Café', 'New York'],
    guests: 12,
  },
  {
    group: 1,
    title: 'Learn to play something new',
    days: 16,
    timezone: 'America/New_York',
    venue: ['Corner Café', 'New York'],
    guests: 4,
  },
  {
    group: 1,
    title: 'Tournament',
    days: 5,
    timezone: 'America/New_York',
    status: 'cancelled',
    venue: ['Town Hall', 'New York'],
    guests: 9,
  },
  {
    group: 2,
    title: 'Show what you made',
    days: 7,
    timezone: 'Asia/Tokyo',
    eventType: 'hybrid',
    venue: ['Mill Lane 4', 'Tokyo'],
    guests: 16,
  },
  {
    group: 2,
    title: 'Soldering for beginners',
    days: -6,
    timezone: 'Asia/Tokyo',
    maxAttendees: 10,
    venue: ['Mill Lane 4', 'Tokyo'],
    guests: 10,
    came: 8,
  },
  {
    group: 2,
    title: 'Open workshop day',
    days: 40,
    timezone: 'Asia/Tokyo',
    status: 'draft',
    venue: ['Mill Lane 4', 'Tokyo'],
  },
  {
    group: 3,
    title: 'A chapter together',
    days: 1,
    hours: 1,
    timezone: 'Europe/Lisbon',
    eventType: 'online',
    guests: 7,
  },
  {
    group: 3,
    title: 'Author in conversation',
    days: 30,
    timezone: 'Europe/Lisbon',
    venue: ['The Library', 'Lisbon'],
    guests: 20,
  },
  {
    group: 4,
    title: 'Meteors over the hill',
    days: 12,
    hours: null,
    timezone: 'Australia/Sydney',
    venue: ['Windmill Hill', 'Sydney'],
    guests: 13,
  },
]

type Person = { id: string }

/** Fills the town with groups, events, guests and those who came, and tells what people did there. */
export async function seedCommunity(tx: Tx, people: Person[], organizers: Person[]) {
  const groups = GROUPS.map((group) => ({
    id: newId(),
    ...group,
    tags: [...group.tags],
    description: `${group.name} meet whenever they can. Everyone is welcome.`,
  }))
  const events = EVENTS.map((plan) => eventOf(plan, groups[plan.group]?.id as string))
  const favorites = groups.flatMap(({ id }, i) =>
    people.filter((_, n) => (n + i) % 2 === 0).map((person) => ({ userId: person.id, groupId: id })),
  )
  const checkins = EVENTS.flatMap((plan, i) =>
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
    rsvps: EVENTS.flatMap((plan, i) => rsvpsOf(plan, events[i] as { id: string }, people)),
    checkins,
  })
  return { groups, favorites, checkins }
}

function eventOf(
  {
    days,
    hours = 2,
    venue,
    maxAttendees,
    title,
    timezone,
    status = 'published',
    eventType = 'physical',
  }: Plan,
  groupId: string,
) {
  // On the hour, so that it looks like something a person planned.
  const startTime = new Date(Math.ceil((nowMs() + days * DAY_MS) / HOUR_MS) * HOUR_MS)
  const endTime = hours === null ? null : new Date(startTime.getTime() + hours * HOUR_MS)
  return {
    id: newId(),
    groupId,
    title,
    timezone,
    status,
    eventType,
    maxAttendees: maxAttendees ?? null,
    description: `${title}: bring a friend.`,
    startTime,
    endTime,
    overAt: overAt(startTime, endTime),
    venueName: venue?.[0] ?? null,
    venueCity: venue?.[1] ?? null,
    onlineUrl: eventType === 'physical' ? null : 'https://meet.folkmoot.example/room',
    publishedAt: status === 'draft' ? null : new Date(nowMs() - 30 * DAY_MS),
    cancelReason: status === 'cancelled' ? 'The hall is flooded' : null,
    waitlistTail: 100,
  }
}

const guestsOf = ({ group }: Plan, people: Person[], count: number) =>
  people.slice(group * 3, group * 3 + count)

/** The first come have seats, the others wait. */
const rsvpsOf = (plan: Plan, { id: eventId }: { id: string }, people: Person[]) =>
  guestsOf(plan, people, plan.guests ?? 0).map((person, i) => {
    const waits = plan.maxAttendees !== undefined && i >= plan.maxAttendees
    return {
      id: newId(),
      eventId,
      userId: person.id,
      status: waits ? ('waitlisted' as const) : ('confirmed' as const),
      waitlistNumber: waits ? i + 1 : null,
      rsvpAt: new Date(nowMs() - (60 - i) * HOUR_MS),
    }
  })
