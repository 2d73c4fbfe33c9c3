import { personNamed } from '@/modules/people/users/cache'

type Named = { username: string | null; name: string | null; avatarUrl: string | null }
export type Known<Entry extends Named> = Omit<Entry, 'username' | 'name'> & {
  id: string
  username: string
  name: string
}

/**
 * Adds ids to people of a list, which the API omits: caches are invalidated by them, and avatars get their hue. Drops people
 * deleted or renamed meanwhile; such a page is not cached.
 */
export async function knownPeople<Entry extends Named>(entries: readonly Entry[]): Promise<Known<Entry>[]> {
  const found = await Promise.all(entries.map(async (entry) => withId(entry)))
  return found.filter((entry) => entry !== undefined)
}

async function withId<Entry extends Named>(entry: Entry): Promise<Known<Entry> | undefined> {
  const { username } = entry
  const person = username === null ? null : await personNamed(username)
  return person === null || username === null
    ? undefined
    : { ...entry, id: person.id, username, name: entry.name ?? username }
}

export const idsOf = (people: readonly { id: string }[]): string[] => people.map(({ id }) => id)
