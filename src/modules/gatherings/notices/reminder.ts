import { Type } from '@sinclair/typebox'
import { ago, now } from '@/core/clock'
import { db } from '@/db/client'
import { letter } from '@/mail/letter'
import { momentWords } from '@/web/when'
import { AboutEvent } from './pieces'
import { type Place, placeOf } from './place'
import { lastMailedAt } from './queries'
import { hasSeat, seatLetter } from './seat-letters'

const HOUR_MS = 3_600_000
/** Skips guests who had mail about the event or answered this recently. */
const FRESH_MS = 12 * HOUR_MS

/** Goes to confirmed guests the day before. A moved event gets new reminders. */
export const eventReminderLetter = letter({
  name: 'event-reminder',
  kind: 'eventReminder',
  urgency: 'news',
  lifeMs: FRESH_MS,
  data: Type.Object({ ...AboutEvent.properties, startTime: Type.String() }),
  write: async ({ reader, words }, { eventId, startTime }) => {
    const place = await placeOf(reader, eventId)
    if (!hasSeat(place) || place.isCheckedIn || place.event.startTime.toISOString() !== startTime) return null
    if (place.event.startTime <= now() || (await isFresh(place))) return null
    const { subject, title, text } = words.eventMails.reminder
    const when = momentWords(place.event.startTime, place.reader.timeZone ?? place.event.timezone, words)
    return seatLetter(place, words, { subject: (short) => subject(when, short), title, text })
  },
})

async function isFresh({ reader, event, answeredAt }: Place): Promise<boolean> {
  const since = ago(FRESH_MS)
  if (answeredAt > since) return true
  const mailedAt = await lastMailedAt(db, reader.userId, event.id)
  return mailedAt !== null && mailedAt > since
}
