import { newId } from '@/core/ids'
import type { Tx } from '@/db/client'
import { newPassId } from '@/modules/passes/passes/id'
import { claimTag } from '@/modules/passes/passes/lifecycle/claim'
import { qrPassesOf } from '@/modules/passes/passes/own-qr'
import { insertTags } from '@/modules/passes/tags/queries'
import { emitAll } from '@/outbox/emit'
import { hoursAgo } from './ago'
import { insertConnections, insertDesigns } from './queries'

const DESIGNS = [
  { id: 'night-sky', name: 'Night sky', themeColor: 'violet' },
  { id: 'market-day', name: 'Market day', themeColor: 'sunset' },
]

/** Tags of the first design are claimed by the first people; those of the second are still blank. */
const CLAIMED = 3
const BLANK = 5

type Person = { id: string }

/** A QR pass for everyone, tags, and whom people met. */
export async function seedPasses(tx: Tx, people: Person[]): Promise<void> {
  await insertDesigns(tx, DESIGNS)
  const passes = await qrPassesOf(
    tx,
    people.map(({ id }) => id),
  )
  const tags = idsOf(CLAIMED)
  await insertTags(tx, tags, 'night-sky')
  await insertTags(tx, idsOf(BLANK), 'market-day')
  for (const [i, tagId] of tags.entries()) await claimTag(tx, (people[i] as Person).id, tagId)
  const met = people.flatMap((owner, i) => meetingsOf(people, owner, i))
  const rows = met.map(({ owner, visitor, at }) => ({
    id: newId(),
    ownerId: owner.id,
    visitorId: visitor.id,
    passId: passes.get(owner.id)?.id,
    createdAt: at,
  }))
  await insertConnections(tx, rows)
  await emitAll(
    tx,
    'meetpass.connected',
    rows.flatMap(({ id, ownerId, visitorId }) => [
      { userId: ownerId, connectedUserId: visitorId, connectionId: id, direction: 'inbound' as const },
      { userId: visitorId, connectedUserId: ownerId, connectionId: id, direction: 'outbound' as const },
    ]),
  )
}

const idsOf = (count: number) => Array.from({ length: count }, newPassId)

/** Everyone met a few of those who come after them, so that no two met twice. */
const meetingsOf = (people: Person[], owner: Person, i: number) =>
  [1, 3, 8].flatMap((step, n) => {
    const visitor = people[i + step]
    return visitor ? [{ owner, visitor, at: hoursAgo(i * 5 + n + 1) }] : []
  })
