import { DAY_MS, now, nowMs } from '@/core/clock'
import { db } from '@/db/client'
import { transaction } from '@/db/transaction'
import { post } from '@/mail/post'
import { zoneOf } from '@/web/when'
import { listSeated, listUnreminded, noteReminded, type Unreminded } from './queries'
import { eventReminderLetter } from './reminder'

/** People are not woken: letters that can wait come from the morning until the evening, on their clocks. */
const MORNING = 8
const EVENING = 21

const hourOf = (at: Temporal.ZonedDateTime, hour: number) =>
  at.with({ hour, minute: 0, second: 0, millisecond: 0, microsecond: 0, nanosecond: 0 })

/**
 * The moment itself, or the one nearest to it at which people in a zone are up and that is not over yet: in the evening before the
 * night, or in the morning after it.
 */
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
/** Early enough for whom the day before is a night; whoever answers later than that has just been told. */
const LATEST_MS = 30 * HOUR_MS
/** Nearer than that a reminder is none. */
const NEAREST_MS = 12 * HOUR_MS
const EVENTS_AT_ONCE = 100
const GUESTS_AT_ONCE = 1000

/** Has reminders written for all events of the next day or so. Run again it does nothing, but for events that were moved. */
export async function remindGuests(): Promise<void> {
  const [from, until] = [new Date(nowMs() + NEAREST_MS), new Date(nowMs() + LATEST_MS)]
  const list = () => listUnreminded(db, { from, until, limit: EVENTS_AT_ONCE })
  for (let found = await list(); found.length > 0; found = await list())
    for (const event of found) {
      await remindOf(event)
      await noteReminded(db, event.id, event.startTime)
    }
}

/** A transaction for some guests at a time; whoever has the letter already, after a crash in between, gets no other. */
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
