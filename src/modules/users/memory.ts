import { cache } from '@/db/cache'
import { findFavoriteGroups, findIdByUsername, findPortfolio, findUser, type UserRow } from './queries'

export type Known = {
  user: UserRow
  portfolio: Awaited<ReturnType<typeof findPortfolio>>
  favoriteGroups: Awaited<ReturnType<typeof findFavoriteGroups>>
}

/** People as they are now, kept until a fact about them says otherwise. */
export const people = cache<Known | null>({
  max: 20_000,
  load: async (id) => {
    const user = await findUser(id)
    if (user === null) return null
    return { user, portfolio: await findPortfolio(id), favoriteGroups: await findFavoriteGroups(id) }
  },
  drops: (fact, drop) => {
    if (fact.type === 'user.updated') {
      // Whoever comes into sight or leaves it changes the counts of everyone around them.
      if (fact.data.fields.includes('profileVisibility') || fact.data.fields.includes('username')) drop.all()
      drop.key(fact.data.userId)
    }
    if (fact.type === 'user.deleted' || fact.type === 'group.updated' || fact.type === 'group.deleted')
      drop.all()
    if (fact.type === 'group.favorited' || fact.type === 'group.unfavorited') drop.key(fact.data.userId)
    if (fact.type === 'user.followed' || fact.type === 'user.unfollowed') {
      drop.key(fact.data.followerId)
      drop.key(fact.data.followeeId)
    }
  },
})

/** Who has a name. An entry may be out of date: whoever uses it looks whether the person still has it. */
const holders = cache<string | null>({ max: 20_000, load: findIdByUsername, drops: () => {} })

export function personNamed(username: string): Known | null | Promise<Known | null> {
  const key = username.toLowerCase()
  const id = holders.get(key)
  if (id instanceof Promise || id === null) return lookUp(key)
  const person = people.get(id)
  if (person instanceof Promise || !holds(person, key)) return lookUp(key)
  return person
}

async function lookUp(key: string): Promise<Known | null> {
  const id = await holders.get(key)
  if (id === null) return null
  const person = await people.get(id)
  if (holds(person, key)) return person
  holders.drop.key(key)
  const holder = await holders.get(key)
  return holder === null ? null : people.get(holder)
}

const holds = (person: Known | null, key: string): person is Known =>
  person?.user.username?.toLowerCase() === key
