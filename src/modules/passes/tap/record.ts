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

/** Anonymous records per pass; keeps the newest, whose visitors are the likeliest to sign in. */
export const STRANGERS_MAX = 1000

/** Batches the taps of a crowd into few statements, with a delay too short to notice. A tap after a pause does not wait. */
const PAUSE_MS = 5

type Met = { passId: string; ownerId: string; visitor: string }

/** Resolves after the commit. */
export const recordPerson = gathered<Met, void>({
  // One key for both directions: a statement cannot update the same pair twice.
  keyOf: ({ ownerId, visitor }) => (ownerId < visitor ? ownerId + visitor : visitor + ownerId),
  pauseMs: PAUSE_MS,
  run: async (met) => {
    await transaction((tx) => connect(tx, met.map(tapOf)))
  },
})

/** `visitor` is the cookie's value; `pair` adds the owner. */
export type StrangerMet = Met & { pair: string }

/** Passes that are not active or changed their owner. */
type Refused = ReadonlySet<string>

export const isRecorded = (refused: Refused, met: Met) => refused.size === 0 || !refused.has(passOf(met))

const passOf = ({ passId, ownerId }: { passId: string; ownerId: string | null }) => `${passId} ${ownerId}`

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

/** Lock order is counter, then records, as everywhere: the reverse deadlocks. */
const trim = (passId: string) =>
  transaction(async (tx) => {
    await lockStrangerCounts(tx, [passId])
    await deleteOldestStrangers(tx, passId, STRANGERS_MAX)
  })

const tapOf = (met: Met): Tap => ({ id: newId(), ...met })

/** A restored connection emits no domain event; it only invalidates caches. */
export async function connect(tx: Tx, taps: Tap[]): Promise<readonly Recorded[]> {
  const recorded = await insertPeople(tx, taps, now())
  await announce(tx, recorded)
  for (const { ownerId, visitorId, isNew } of recorded)
    if (!isNew) broadcast(tx, { type: 'connection.changed', data: { ownerId, visitorId } })
  return recorded
}

/** Emits one domain event per side. */
export async function announce(tx: Tx, recorded: readonly Recorded[]): Promise<void> {
  const sides = recorded
    .filter(({ isNew }) => isNew)
    .flatMap(({ id, ownerId, visitorId }) => [
      { userId: ownerId, connectedUserId: visitorId, connectionId: id, direction: 'inbound' as const },
      { userId: visitorId, connectedUserId: ownerId, connectionId: id, direction: 'outbound' as const },
    ])
  if (sides.length > 0) await emitAll(tx, 'meetpass.connected', sides)
}
