import { DAY_MS, now, nowMs } from '@/core/clock'
import { FIRST_ID, newId } from '@/core/ids'
import { db } from '@/db/client'
import {
  analyzeDrafts,
  deleteDaysBefore,
  deleteDrafts,
  draftScores,
  findFirstJoinDate,
  insertDay,
  listWrittenDays,
  type Placed,
  placeDrafts,
  TOP,
} from './queries'

/** The longest period is thirty days and may begin in the middle of a day. */
const DAYS = 31
export const SNAPSHOTS_MS = (DAYS + 1) * DAY_MS
/** By then, transactions that were open at midnight have ended. */
const SETTLED_MS = 60_000
/** Bounds the duration of each statement. */
const PORTION = 2000

const momentOf = (day: string) => new Date(`${day}T00:00:00.000Z`)
const dayBegun = (ms: number) => new Date(ms).toISOString().slice(0, 10)

/**
 * Takes all missing daily snapshots. Scores are reconstructed from their log, so the result does not depend on when, how often or
 * in how many processes this runs.
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
  const first = await findFirstJoinDate(db)
  return first === null ? [] : missing.filter((day) => momentOf(day) > first).reverse()
}

/**
 * Writes a day's board in slices, each in its own transaction, so that no statement takes long. The day is published only when
 * complete.
 */
export async function writeBoard(day: string, moment: Date, portion = PORTION): Promise<void> {
  const run = newId()
  for (let after = FIRST_ID, seen = portion; seen === portion; ) {
    const walked = await draftScores(db, { run, moment, after, limit: portion })
    seen = walked?.seen ?? 0
    after = walked?.last ?? after
  }
  await analyzeDrafts(db)
  for (let after: Placed | undefined = TOP; after; )
    after = await placeDrafts(db, { run, day, after, limit: portion })
  await deleteDrafts(db, run)
}
