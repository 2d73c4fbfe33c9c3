import type { TObject } from '@sinclair/typebox'
import { ago, DAY_MS, nowMs } from '@/core/clock'
import type { Tx } from '@/db/client'
import type { Letter } from './letter'
import { type Errand, post } from './post'
import { countTold } from './queries'

const MINUTE_MS = 60_000
/** How long a letter waits, by how many about the same thing somebody had within a day; the last holds for all that come. */
const WAITS_MS = [0, 2, 15, 60, 360].map((minutes) => minutes * MINUTE_MS)

type Sparing<D extends TObject> = Pick<Errand<D>, 'fact' | 'data'> & {
  topic: string
  /** How long to wait at least, for what may follow. */
  gatherMs?: number
}

/**
 * Has a letter sent about something that may go to and fro. While one waits there is no other: it tells what is true when it goes.
 * Each makes the next one wait longer, so that nobody can be made to get many, and the last word always comes.
 */
export async function postSparingly<D extends TObject>(
  tx: Tx,
  letter: Letter<D>,
  userIds: string[],
  { gatherMs = 0, ...errand }: Sparing<D>,
): Promise<void> {
  const counted = await countTold(tx, { userIds, topic: errand.topic, since: ago(DAY_MS) })
  const told = new Map(counted.map((one) => [one.userId, one.told]))
  const byWait = Map.groupBy(userIds, (userId) => Math.max(gatherMs, waitAfter(told.get(userId) ?? 0)))
  for (const [waitMs, people] of byWait)
    await post(tx, letter, people, {
      ...errand,
      keepsWaiting: true,
      dueAt: new Date(nowMs() + waitMs),
    })
}

const waitAfter = (told: number) => WAITS_MS[Math.min(told, WAITS_MS.length - 1)] as number
