import { DAY_MS, now, nowMs } from '@/core/clock'
import { db } from '@/db/client'
import { transaction } from '@/db/transaction'
import { post } from '@/mail/post'
import { zoneOf } from '@/web/when'
import { listSeated, listUnreminded, markReminded, type Unreminded } from './queries'
import { eventReminderLetter } from './reminder'

/** Non-urgent mail goes out during the day, in the reader's time zone. */
const MORNING = 8
const EVENING = 21

const hourOf = (at: Temporal.ZonedDateTime, hour: number) =>
  at.with({ hour, minute: 0, second: 0, millisecond: 0, microsecond: 0, nanosecond: 0 })

/** The given time, or the nearest daytime hour in the zone: the evening before or the morning after, but not before `notBefore`. */
export function wakingTime(at: Date, timezone: string | null, notBefore: Date): Date {
  const wanted = inZone(at, timezone)
  const found =
    wanted.hour < MORNING
      ? hourOf(wanted, MORNING)
      : wanted.hour >= EVENING
        ? hourOf(wanted, EVENING).subtract({ minutes: 30 })
        : wanted
  if (found.epochMilliseconds >= notBefore.getTime()) return new Date(found.epochMilliseconds)
  const earliest = inZone(notBefore, timezone)
  if (earliest.hour >= MORNING && earliest.hour < EVENING) return notBefore
  const day = earliest.hour < MORNING ? earliest : earliest.add({ days: 1 })
  return new Date(hourOf(day, MORNING).epochMilliseconds)
}

const inZone = (at: Date, timezone: string | null) =>
  Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(zoneOf(timezone))

const HOUR_MS = 3_600_000
/** Leaves time to send on the evening before. Later RSVPs need no reminder: their confirmation is recent. */
const LATEST_MS = 30 * HOUR_MS
/** Closer to the start, a reminder comes too late. */
const NEAREST_MS = 12 * HOUR_MS
const EVENTS_AT_ONCE = 100
const GUESTS_AT_ONCE = 1000

/** Queues reminders for all events in the window. Idempotent, except for events that were moved. */
export async function remindGuests(): Promise<void> {
  const [from, until] = [new Date(nowMs() + NEAREST_MS), new Date(nowMs() + LATEST_MS)]
  const list = () => listUnreminded(db, { from, until, limit: EVENTS_AT_ONCE })
  for (let found = await list(); found.length > 0; found = await list())
    for (const event of found) {
      await remindOf(event)
      await markReminded(db, event.id, event.startTime)
    }
}

/** One transaction per batch of guests. After a crash, guests who already have the letter get no second one. */
async function remindOf({ id: eventId, startTime, timezone }: Unreminded): Promise<void> {
  const dayBefore = new Date(startTime.getTime() - DAY_MS)
  const about = {
    fact: `${eventId} ${startTime.toISOString()}`,
    topic: eventId,
    data: { eventId, startTime: startTime.toISOString() },
  }
  for (let after: string | null = null; ; ) {
    const guests = await listSeated(db, eventId, after, GUESTS_AT_ONCE)
    const byTime = Map.groupBy(guests, ({ timeZone }) =>
      wakingTime(dayBefore, timeZone ?? timezone, now()).getTime(),
    )
    await transaction(async (tx) => {
      for (const [time, people] of byTime) {
        const userIds = people.map(({ userId }) => userId)
        await post(tx, eventReminderLetter, userIds, { ...about, dueAt: new Date(time) })
      }
    })
    if (guests.length < GUESTS_AT_ONCE) return
    after = guests.at(-1)?.userId as string
  }
}
