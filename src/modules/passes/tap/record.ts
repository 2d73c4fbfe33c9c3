import { now } from '@/core/clock'
import { newId } from '@/core/ids'
import { db, type Tx } from '@/db/client'
import { transaction } from '@/db/transaction'
import { emitAll } from '@/outbox/emit'
import { gathered } from './gathered'
import { rememberPair } from './known-pairs'
import { deleteOldestStrangers, insertPeople, insertStrangers, type Recorded, type Tap } from './queries'
import { strangerHash } from './stranger'

/** Strangers that a pass keeps; the newest stay, since they are the likeliest to sign in. */
export const STRANGERS_MAX = 1000

type Met = { passId: string; ownerId: string; visitor: string }

/** Records that a person tapped a pass. The promise is kept once it is committed. */
export const recordPerson = gathered<Met>({
  // The other way round is another tap of the same pair, which one statement cannot touch twice.
  keyOf: ({ ownerId, visitor }) => (ownerId < visitor ? ownerId + visitor : visitor + ownerId),
  run: async (met) => {
    await transaction((tx) => connect(tx, met.map(tapOf)))
  },
})

/** Records that a stranger tapped a pass. `visitor` is the value of the cookie. */
export const recordStranger = gathered<Met>({
  keyOf: ({ ownerId, visitor }) => visitor + ownerId,
  run: async (met) => {
    const taps = met.map((one) => tapOf({ ...one, visitor: strangerHash(one.visitor) }))
    for (const { passId, over } of await insertStrangers(db, taps, now(), STRANGERS_MAX))
      await deleteOldestStrangers(db, passId, over)
    for (const { visitor, ownerId } of met) rememberPair(visitor, ownerId)
  },
})

const tapOf = (met: Met): Tap => ({ id: newId(), ...met })

/** Connects people, and says so from the side of each. */
export async function connect(tx: Tx, taps: Tap[]): Promise<readonly Recorded[]> {
  const recorded = await insertPeople(tx, taps, now())
  await announce(tx, recorded)
  return recorded
}

export async function announce(tx: Tx, recorded: readonly Recorded[]): Promise<void> {
  const sides = recorded
    .filter(({ isNew }) => isNew)
    .flatMap(({ id, ownerId, visitorId }) => [
      { userId: ownerId, connectedUserId: visitorId, connectionId: id, direction: 'inbound' as const },
      { userId: visitorId, connectedUserId: ownerId, connectionId: id, direction: 'outbound' as const },
    ])
  if (sides.length > 0) await emitAll(tx, 'meetpass.connected', sides)
}
