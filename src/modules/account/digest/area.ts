import { Type } from '@sinclair/typebox'
import { config } from '@/config/config'
import { DAY_MS, now, nowMs } from '@/core/clock'
import { schedule } from '@/core/sweep'
import { db } from '@/db/client'
import { transaction } from '@/db/transaction'
import { listed } from '@/mail/gathered/listed'
import { letter, type Part, type Reader } from '@/mail/letter'
import { post } from '@/mail/post'
import { type Times, whenOf, zoneOf, zoneWords } from '@/web/when'
import type { Words } from '@/words/words'
import { listOfGroups, listPlans, listSubscribers, listZones } from './queries'

const EVENTS_MAX = 100

/** The events of the coming week; not sent if none exist. */
export const weeklyDigestLetter = letter({
  name: 'weekly-digest',
  kind: 'weeklyDigest',
  urgency: 'news',
  lifeMs: DAY_MS,
  data: Type.Object({}),
  write: async ({ reader, words }) => {
    if (reader === null) return null
    const week = { from: now(), until: new Date(nowMs() + 7 * DAY_MS), limit: EVENTS_MAX }
    const plans = await listPlans(db, reader.userId, week)
    const planned = new Set(plans.map(({ id }) => id))
    const others = (await listOfGroups(db, reader.userId, week)).filter(({ id }) => !planned.has(id))
    if (plans.length + others.length === 0) return null
    const { subject, title, yours, ofGroups, waiting, button } = words.newsMails.weeklyDigest
    const note = ({ status }: Plan) => (status === 'waitlisted' ? waiting : null)
    return {
      subject: subject(plans.length + others.length),
      title,
      parts: [
        ...section(
          yours,
          plans.map((plan) => entry(plan, reader, words, note(plan))),
          words,
        ),
        ...section(
          ofGroups,
          others.map((event) => entry(event, reader, words)),
          words,
        ),
        { button, url: `${config.baseUrl}/events` },
      ],
    }
  },
})

type Plan = Awaited<ReturnType<typeof listPlans>>[number]
type Entry = { text: string; about: string; url: string }

const section = (heading: string, entries: Entry[], words: Words): Part[] =>
  entries.length === 0 ? [] : [{ say: heading }, ...listed(entries, words)]

function entry(
  { id, title, groupName, ...times }: Omit<Plan, 'status'>,
  reader: Reader,
  words: Words,
  note: string | null = null,
): Entry {
  return {
    text: title,
    about: [...clocksOf(times, reader, words), groupName, note].filter((part) => part !== null).join(' · '),
    url: `${config.baseUrl}/events/${id}`,
  }
}

/** In the event's zone, and in the reader's if it differs. */
function clocksOf(times: Times, { timeZone }: Reader, words: Words): string[] {
  const there = whenOf(times, 'short', words)
  const here = timeZone === null ? there : whenOf({ ...times, timezone: timeZone }, 'short', words)
  const span = there.ends === null ? there.starts : `${there.starts}${there.until}${there.ends}`
  const zone = zoneWords(times.startTime, times.timezone, words)
  return [
    `${span} ${zone}`,
    ...(here.starts === there.starts ? [] : [`${words.eventMails.yourTime}: ${here.starts}`]),
  ]
}

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
