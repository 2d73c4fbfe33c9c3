import { newId } from '@/core/ids'
import { db, type Tx } from '@/db/client'
import { DEMO_DOMAIN } from '@/db/migrate/installation'
import { transaction } from '@/db/transaction'
import { newPassId } from '@/modules/passes/passes/id'
import { claimTag } from '@/modules/passes/passes/lifecycle/claim'
import { qrPassesOf } from '@/modules/passes/passes/own-qr'
import { insertTags } from '@/modules/passes/tags/queries'
import { emitAll } from '@/outbox/emit'
import { seedCommunity } from './community'
import { ADMINISTRATOR_NAME, daysAgo, hoursAgo, ORGANIZER_NAMES, PEOPLE } from './people'
import {
  countFollows,
  insertConnections,
  insertDesigns,
  insertFollows,
  insertPeople,
  insertPortfolio,
  peopleOf,
} from './queries'
import { seedRecognition } from './recognition'

const DESIGNS = [
  { id: 'night-sky', name: 'Night sky', themeColor: 'violet' },
  { id: 'market-day', name: 'Market day', themeColor: 'sunset' },
]

/** The first users own tags of the first design; those of the second are blank. */
const CLAIMED = 3
const BLANK = 5

type Person = { id: string }

/** Seeds a QR pass per user, tags, and connections. */
async function seedPasses(tx: Tx, people: Person[]): Promise<void> {
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

/** Each user met a few of the users after them, so that each pair met once. */
const meetingsOf = (people: Person[], owner: Person, i: number) =>
  [1, 3, 8].flatMap((step, n) => {
    const visitor = people[i + step]
    return visitor ? [{ owner, visitor, at: hoursAgo(i * 5 + n + 1) }] : []
  })

/** Seeds the demo community on the first start; later starts change nothing. */
export async function seedDemo(): Promise<void> {
  if ((await peopleOf(db, DEMO_DOMAIN)).length > 0) return
  await transaction(async (tx) => {
    const people = PEOPLE.map((person, index) => ({
      id: newId(),
      ...person,
      socialLinks: index % 3 === 0 ? [`https://${person.username}.example`] : null,
      createdAt: daysAgo((PEOPLE.length - index) * 3),
      lastLoginAt: daysAgo(index % 9),
    }))
    await insertPeople(tx, people)
    await insertPortfolio(tx, people.filter((_, index) => index % 4 === 1).map(madeThing))
    await insertFollows(
      tx,
      people.flatMap((person, index) => followsOf(people, person.id, index)),
    )
    await countFollows(tx)
    const ordinary = people.filter(({ name }) => !ORGANIZER_NAMES.has(name) && name !== ADMINISTRATOR_NAME)
    const organizers = people.filter(({ name }) => ORGANIZER_NAMES.has(name))
    const community = await seedCommunity(tx, ordinary, organizers)
    await seedRecognition(tx, { ...community, people: ordinary })
    await seedPasses(tx, people)
  })
}

const THINGS = [
  'A map of every drinking fountain in town',
  'The folding chair',
  'A field guide to our roundabouts',
  'Quiet clock',
]

const madeThing = ({ id }: { id: string }, index: number) => ({
  id: newId(),
  userId: id,
  title: THINGS[index % THINGS.length] as string,
  description: 'Made over a winter, improved by everyone who borrowed it.',
  url: 'https://folkmoot.example/things',
})

/** Each user follows a few neighbors, and a few users have many followers. */
const followsOf = (people: { id: string }[], followerId: string, index: number) =>
  [1, 2, 5, 11, 0 - index, 7 - index]
    .map((step) => people[(index + step + people.length) % people.length]?.id as string)
    .filter((followeeId) => followeeId !== followerId)
    .map((followeeId, i) => ({ followerId, followeeId, createdAt: daysAgo(index + i) }))
