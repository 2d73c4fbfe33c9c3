import { nowMs } from '@/core/clock'
import { schedule } from '@/core/schedule'
import { db } from '@/db/client'
import { transaction } from '@/db/transaction'
import { post } from '@/mail/post'
import { zoneOf } from '@/web/when'
import { weeklyDigestLetter } from './letters'
import { listSubscribers, listZones } from './queries'

const MONDAY = 1
/** After downtime the digest is late, but never sent in the evening. */
const [FROM_HOUR, UNTIL_HOUR] = [8, 18]
const PEOPLE_AT_ONCE = 500
const FIRST_ID = '00000000-0000-0000-0000-000000000000'

/** Sends the digest in zones where the week begins now. The week is the deduplication key. */
export async function sendDigests(): Promise<void> {
  for (const { timeZone } of await listZones(db)) {
    const week = weekBeginning(timeZone)
    if (week !== null) await sendTo(timeZone, week)
  }
}

/** The Monday that begins this morning in a zone, DST-safe; null at any other time. */
function weekBeginning(timeZone: string | null): string | null {
  const local = Temporal.Instant.fromEpochMilliseconds(nowMs()).toZonedDateTimeISO(zoneOf(timeZone))
  const isMorning = local.dayOfWeek === MONDAY && local.hour >= FROM_HOUR && local.hour < UNTIL_HOUR
  return isMorning ? local.toPlainDate().toString() : null
}

async function sendTo(timeZone: string | null, fact: string): Promise<void> {
  const letter = weeklyDigestLetter.name
  for (let after = FIRST_ID; ; ) {
    const portion = { timeZone, letter, fact, after, limit: PEOPLE_AT_ONCE }
    const people = (await listSubscribers(db, portion)).map(({ userId }) => userId)
    if (people.length > 0) await transaction((tx) => post(tx, weeklyDigestLetter, people, { fact, data: {} }))
    const last = people.at(-1)
    if (last === undefined || people.length < PEOPLE_AT_ONCE) return
    after = last
  }
}

export const digestArea = {
  schedules: [
    // Some zones differ by a quarter of an hour.
    schedule({ name: 'weekly-digest', everyMs: 15 * 60_000, run: sendDigests }),
  ],
  letters: [weeklyDigestLetter],
}
