import { personNamed } from '@/modules/people/users/cache'

type Named = { username: string | null; name: string | null; avatarUrl: string | null }
export type Known<Entry extends Named> = Omit<Entry, 'username' | 'name'> & {
  id: string
  username: string
  name: string
}

/**
 * People of a list with their ids, which the API does not tell: pages are dropped by them, and faces have their hue. Whoever is
 * gone meanwhile, or has another name, is left out; a page that was overtaken like this is not kept.
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
