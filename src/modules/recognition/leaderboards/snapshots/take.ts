import { DAY_MS, now, nowMs } from '@/core/clock'
import { db, type Tx } from '@/db/client'
import { transaction } from '@/db/transaction'
import {
  copyDrawn,
  deleteDaysBefore,
  drawBoard,
  findFirstArrival,
  insertDay,
  listWrittenDays,
  takePen,
} from './queries'

/** The longest period of movers is thirty days, and begins in the middle of one. */
const DAYS = 31
export const SNAPSHOTS_MS = (DAYS + 1) * DAY_MS
/** Changes that were under way when the day began have ended by then, one way or the other. */
const SETTLED_MS = 60_000
/** So that no statement takes long, however many people there are. */
const PORTION = 20_000

const momentOf = (day: string) => new Date(`${day}T00:00:00.000Z`)
const dayBegun = (ms: number) => new Date(ms).toISOString().slice(0, 10)

/**
 * Takes the snapshot of every day's beginning that is missing. Scores of the past are known from their log, so it does
 * not matter when this runs, how often, or in how many processes: a day's board comes out the same.
 */
export async function takeSnapshots(portion = PORTION): Promise<void> {
  for (const day of await missingDays()) await transaction((tx) => writeDown(tx, day, portion))
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

async function writeDown(tx: Tx, day: string, portion: number): Promise<void> {
  if (!(await takePen(tx, day)) || !(await insertDay(tx, day, now()))) return
  await drawBoard(tx, momentOf(day))
  for (let rank = 0; (await copyDrawn(tx, day, rank, portion)) === portion; ) rank += portion
}
