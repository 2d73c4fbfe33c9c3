import { DAY_MS, now, nowMs } from '@/core/clock'
import { db } from '@/db/client'
import { transaction } from '@/db/transaction'
import { post } from '@/mail/post'
import { listSeated, listUnreminded, noteReminded, type Unreminded } from './queries'
import { eventReminderLetter } from './reminder'
import { wakingTime } from './waking'

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
