import { now } from '@/core/clock'
import { newId } from '@/core/ids'
import type { Tx } from '@/db/client'
import { gathered } from '@/db/gathered'
import { retried, transaction } from '@/db/transaction'
import { broadcast } from '@/outbox/broadcast'
import { emitAll } from '@/outbox/emit'
import { lockStrangerCounts } from '../connections/queries'
import { rememberPair } from './known-pairs'
import { deleteOldestStrangers, insertPeople, insertStrangers, type Recorded, type Tap } from './queries'
import { strangerHash } from './stranger'

/** Strangers that a pass keeps; the newest stay, since they are the likeliest to sign in. */
export const STRANGERS_MAX = 1000

/**
 * Nobody sees so short a time, and in a hall it makes few long statements of many short ones. Whoever taps after a quiet moment
 * does not wait for it.
 */
const PAUSE_MS = 5

type Met = { passId: string; ownerId: string; visitor: string }

/** Records that a person tapped a pass. The promise is kept once it is committed. */
export const recordPerson = gathered<Met, void>({
  // The other way round is another tap of the same pair, which one statement cannot touch twice.
  keyOf: ({ ownerId, visitor }) => (ownerId < visitor ? ownerId + visitor : visitor + ownerId),
  pauseMs: PAUSE_MS,
  run: async (met) => {
    await transaction((tx) => connect(tx, met.map(tapOf)))
  },
})

/** `visitor` is the value of the cookie, `pair` that and the owner. */
export type StrangerMet = Met & { pair: string }

/** Passes that are no longer the owner's or not in use. */
type Refused = ReadonlySet<string>

/** Whether a tap was recorded, by what its run refused. */
export const isRecorded = (refused: Refused, met: Met) => refused.size === 0 || !refused.has(passOf(met))

const passOf = ({ passId, ownerId }: { passId: string; ownerId: string | null }) => `${passId} ${ownerId}`

/** Records that a stranger tapped a pass, unless it is refused. */
export const recordStranger = gathered<StrangerMet, Refused>({
  keyOf: ({ pair }) => pair,
  pauseMs: PAUSE_MS,
  run: async (met) => {
    const taps = met.map(({ passId, ownerId, visitor }) => ({
      id: newId(),
      passId,
      ownerId,
      visitor: strangerHash(visitor),
    }))
    const refused = new Set<string>()
    for (const found of await retried(() => insertStrangers(taps, now(), STRANGERS_MAX)))
      if (found.ownerId === null) await trim(found.passId)
      else refused.add(passOf(found))
    for (const one of met) if (isRecorded(refused, one)) rememberPair(one.pair)
    return refused
  },
})

/** Counts are locked before records, as everywhere, so that nobody waits for each other. */
const trim = (passId: string) =>
  transaction(async (tx) => {
    await lockStrangerCounts(tx, [passId])
    await deleteOldestStrangers(tx, passId, STRANGERS_MAX)
  })

const tapOf = (met: Met): Tap => ({ id: newId(), ...met })

/** Connects people. One who had removed it has it back now, which is news to caches alone. */
export async function connect(tx: Tx, taps: Tap[]): Promise<readonly Recorded[]> {
  const recorded = await insertPeople(tx, taps, now())
  await announce(tx, recorded)
  for (const { ownerId, visitorId, isNew } of recorded)
    if (!isNew) broadcast(tx, { type: 'connection.changed', data: { ownerId, visitorId } })
  return recorded
}

/** Says from the side of each that they have met. */
export async function announce(tx: Tx, recorded: readonly Recorded[]): Promise<void> {
  const sides = recorded
    .filter(({ isNew }) => isNew)
    .flatMap(({ id, ownerId, visitorId }) => [
      { userId: ownerId, connectedUserId: visitorId, connectionId: id, direction: 'inbound' as const },
      { userId: visitorId, connectedUserId: ownerId, connectionId: id, direction: 'outbound' as const },
    ])
  if (sides.length > 0) await emitAll(tx, 'meetpass.connected', sides)
}
