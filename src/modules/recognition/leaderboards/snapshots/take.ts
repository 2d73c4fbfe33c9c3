import { DAY_MS, now, nowMs } from '@/core/clock'
import { newId } from '@/core/ids'
import { db } from '@/db/client'
import {
  analyzeDrafts,
  deleteDaysBefore,
  deleteDrafts,
  draftScores,
  findFirstArrival,
  insertDay,
  listWrittenDays,
  type Placed,
  placeDrafts,
  TOP,
} from './queries'

/** The longest period of movers is thirty days, and begins in the middle of one. */
const DAYS = 31
export const SNAPSHOTS_MS = (DAYS + 1) * DAY_MS
/** Changes that were under way when the day began have ended by then, one way or the other. */
const SETTLED_MS = 60_000
/** So that no statement takes long, however many people there are. */
const PORTION = 2000
const NOBODY = '00000000-0000-0000-0000-000000000000'

const momentOf = (day: string) => new Date(`${day}T00:00:00.000Z`)
const dayBegun = (ms: number) => new Date(ms).toISOString().slice(0, 10)

/**
 * Takes the snapshot of every day's beginning that is missing. Scores of the past are known from their log, so it does
 * not matter when this runs, how often, or in how many processes: a day's board comes out the same.
 */
export async function takeSnapshots(portion = PORTION): Promise<void> {
  for (const day of await missingDays()) {
    await writeBoard(day, momentOf(day), portion)
    await insertDay(db, day, now())
  }
  await deleteDaysBefore(db, dayBegun(nowMs() - SNAPSHOTS_MS))
}

async function missingDays(): Promise<string[]> {
  const written = await listWrittenDays(db)
  const missing = Array.from({ length: DAYS + 1 }, (_, ago) =>
    dayBegun(nowMs() - SETTLED_MS - ago * DAY_MS),
  ).filter((day) => !written.has(day))
  if (missing.length === 0) return []
  const first = await findFirstArrival(db)
  return first === null ? [] : missing.filter((day) => momentOf(day) > first).reverse()
}

/**
 * Writes the board of a moment down as that of a day. It is done in slices, each a transaction of its own, so no statement
 * takes long; nobody reads a day before all of it is there.
 */
export async function writeBoard(day: string, moment: Date, portion = PORTION): Promise<void> {
  const run = newId()
  for (let after = NOBODY, seen = portion; seen === portion; ) {
    const walked = await draftScores(db, { run, moment, after, limit: portion })
    seen = walked?.seen ?? 0
    after = walked?.last ?? after
  }
  await analyzeDrafts(db)
  for (let after: Placed | undefined = TOP; after; )
    after = await placeDrafts(db, { run, day, after, limit: portion })
  await deleteDrafts(db, run)
}
