import { DAY_MS, now, nowMs } from '@/core/clock'
import { newId } from '@/core/ids'
import { db } from '@/db/client'
import { transaction } from '@/db/transaction'
import { DAYS, type Period } from '../schema'
import {
  beginList,
  changedMoreThan,
  deleteMovers,
  listGains,
  type Mark,
  placeAfter,
  publishList,
  type Walked,
  withdrawList,
} from './queries'

/**
 * Up to some thousand score changes per period, movers are computed per request. Beyond that a worker computes a list every few
 * minutes, in slices along the board, and requests read its pages.
 */

/** A request handles this many changes in a few dozen milliseconds. */
export const LIVE_MAX = 10_000
const PORTION = 2000
export const MARK_EVERY = 1000

export type Limits = { liveMax: number; portion: number; markEvery: number }

export async function countMovers(limits: Partial<Limits> = {}): Promise<void> {
  const { liveMax = LIVE_MAX, portion = PORTION, markEvery = MARK_EVERY } = limits
  for (const [period, days] of Object.entries(DAYS) as [Period, number][]) {
    const since = new Date(nowMs() - days * DAY_MS)
    if (await changedMoreThan(db, liveMax, since)) await countList(period, since, portion, markEvery)
    else await withdrawList(db, period)
  }
}

async function countList(period: Period, since: Date, portion: number, markEvery: number): Promise<void> {
  const [list, until] = [newId(), now()]
  await beginList(db, { id: list, period, startsAt: since, endsAt: until })
  for (let after: Walked | undefined, seen = portion; seen === portion; seen = after?.seen ?? 0)
    after = await listGains(db, { list, since, until, after, limit: portion })
  const { marks, total } = await markPlaces(list, markEvery)
  const old = await transaction((tx) => publishList(tx, { id: list, period }, total, marks))
  if (old) await deleteMovers(db, old)
}

async function markPlaces(list: string, step: number): Promise<{ marks: Mark[]; total: number }> {
  const first = await placeAfter(db, list, { step: 0 })
  if (!first) return { marks: [], total: 0 }
  const marks = [first]
  for (let from = first; ; ) {
    const next = (await placeAfter(db, list, { from, step })) ?? from
    if (next.place < from.place + step) return { marks, total: next.place + 1 }
    marks.push(next)
    from = next
  }
}
