import type { TObject } from '@sinclair/typebox'
import { ago, DAY_MS, nowMs } from '@/core/clock'
import type { Tx } from '@/db/client'
import type { Letter } from './letter'
import { type PostOptions, post } from './post'
import { countRecent } from './queries'

const MINUTE_MS = 60_000
/** Delay by the number of letters that the person received about the topic within a day; the last applies to all further ones. */
const WAITS_MS = [0, 2, 15, 60, 360].map((minutes) => minutes * MINUTE_MS)

type Sparing<D extends TObject> = Pick<PostOptions<D>, 'fact' | 'data' | 'urgency'> & {
  topic: string
  /** How long to wait at least, for what may follow. */
  gatherMs?: number
}

/**
 * Queues a letter about a state that may change repeatedly. At most one waits, composed from the state at sending time. Each letter
 * delays the next one further, which limits abuse while the final state is always sent.
 */
export async function postSparingly<D extends TObject>(
  tx: Tx,
  letter: Letter<D>,
  userIds: string[],
  { gatherMs = 0, ...options }: Sparing<D>,
): Promise<void> {
  const counted = await countRecent(tx, { userIds, topic: options.topic, since: ago(DAY_MS) })
  const received = new Map(counted.map((one) => [one.userId, one.letters]))
  const byWait = Map.groupBy(userIds, (userId) => Math.max(gatherMs, waitAfter(received.get(userId) ?? 0)))
  for (const [waitMs, people] of byWait)
    await post(tx, letter, people, {
      ...options,
      keepsWaiting: true,
      dueAt: new Date(nowMs() + waitMs),
    })
}

const waitAfter = (letters: number) => WAITS_MS[Math.min(letters, WAITS_MS.length - 1)] as number
