import { newId } from '@/core/ids'
import { db } from '@/db/client'
import { DEMO_DOMAIN } from '@/db/migrate/installation'
import { transaction } from '@/db/transaction'
import { daysAgo } from './ago'
import { seedCommunity } from './community'
import { seedPasses } from './passes'
import { ADMINISTRATOR_NAME, ORGANIZER_NAMES, PEOPLE } from './people'
import { countFollows, insertFollows, insertPeople, insertPortfolio, peopleOf } from './queries'
import { seedRecognition } from './recognition'

/** Makes the demo community on the first start; later starts find it as people left it. */
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

/** Everyone follows a few people around them, and a few people are followed by many. */
const followsOf = (people: { id: string }[], followerId: string, index: number) =>
  [1, 2, 5, 11, 0 - index, 7 - index]
    .map((step) => people[(index + step + people.length) % people.length]?.id as string)
    .filter((followeeId) => followeeId !== followerId)
    .map((followeeId, i) => ({ followerId, followeeId, createdAt: daysAgo(index + i) }))
