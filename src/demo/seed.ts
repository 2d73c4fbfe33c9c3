import { TOKEN_PREFIX } from '@/auth/credentials'
import { hashSecret } from '@/auth/hashing'
import { nowMs } from '@/core/clock'
import { checkedSecret } from '@/core/codes'
import { newId } from '@/core/ids'
import { SCOPE_NAMES } from '@/core/scopes'
import { db } from '@/db/client'
import { transaction } from '@/db/transaction'
import { seedCommunity } from './community'
import { ADMINISTRATOR_NAME, DEMO_DOMAIN, ORGANIZER_NAMES, PEOPLE } from './people'
import {
  allEvents,
  allGroups,
  allOwners,
  countFollows,
  countTokensNamed,
  insertFollows,
  insertPeople,
  insertPortfolio,
  peopleOf,
  replaceTokensNamed,
} from './queries'
import { seedRecognition } from './recognition'

const TOKEN_NAME = 'Demo token'
const DAY_MS = 24 * 60 * 60 * 1000

export type DemoPerson = { username: string; role: string; token: string; manages: string[] }
export type Demo = {
  baseUrl: string
  people: DemoPerson[]
  groups: { id: string; urlname: string }[]
  events: { id: string; title: string; status: string }[]
}

/** Makes the demo town on the first start; later starts find it as people left it. */
export async function seedDemo(): Promise<void> {
  if ((await peopleOf(db, DEMO_DOMAIN)).length > 0) return
  await transaction(async (tx) => {
    const people = PEOPLE.map((person, index) => ({
      id: newId(),
      ...person,
      socialLinks: index % 3 === 0 ? [`https://${person.username}.example`] : null,
      createdAt: new Date(nowMs() - (PEOPLE.length - index) * 3 * DAY_MS),
      lastLoginAt: new Date(nowMs() - (index % 9) * DAY_MS),
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
    const town = await seedCommunity(tx, ordinary, organizers)
    await seedRecognition(tx, { ...town, people: ordinary })
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

/** Everyone follows a few people around them, and a few people are followed by many. */
const followsOf = (people: { id: string }[], followerId: string, index: number) =>
  [1, 2, 5, 11, 0 - index, 7 - index]
    .map((step) => people[(index + step + people.length) % people.length]?.id as string)
    .filter((followeeId) => followeeId !== followerId)
    .map((followeeId, i) => ({ followerId, followeeId, createdAt: new Date(nowMs() - (index + i) * DAY_MS) }))

/** Whether the tokens that were written down still open the door. */
export const hasDemoTokens = async (demo: Demo | undefined) =>
  demo !== undefined &&
  demo.people.length > 0 &&
  (await countTokensNamed(db, TOKEN_NAME)) === demo.people.length

/** A token for everyone with every scope that its owner may hold. Tokens of an earlier start are replaced. */
export async function makeDemo(baseUrl: string): Promise<Demo> {
  const people = await peopleOf(db, DEMO_DOMAIN)
  const owners = await allOwners(db)
  const made = people.map(({ id, username, role }) => ({
    id,
    username: username as string,
    role,
    token: checkedSecret(TOKEN_PREFIX),
    manages: owners.filter(({ userId }) => userId === id).map(({ groupId }) => groupId),
  }))
  await transaction((tx) => replaceTokensNamed(tx, TOKEN_NAME, made.map(tokenRow)))
  const first = made.slice(0, 10)
  const organizers = made.filter(({ manages }) => manages.length > 0)
  const administrators = made.filter(({ role }) => role === 'admin')
  const known = new Set([...first, ...organizers, ...administrators])
  return {
    baseUrl,
    people: [...known, ...made.filter((person) => !known.has(person))].map(({ id: _, ...person }) => person),
    ...(await placesOf()),
  }
}

const tokenRow = ({ id, role, token }: { id: string; role: string; token: string }) => ({
  id: newId(),
  userId: id,
  name: TOKEN_NAME,
  hash: hashSecret(token),
  prefix: token.slice(0, TOKEN_PREFIX.length + 8),
  scopes: SCOPE_NAMES.filter((scope) => scope !== 'admin' || role === 'admin'),
})

export const placesOf = async () => ({ groups: await allGroups(db), events: await allEvents(db) })
