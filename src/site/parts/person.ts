import { initialsOf, ownPicture } from '@/modules/passes/card/face'
import { personNamed } from '@/modules/people/users/cache'
import { type Html, html } from '@/web/html'
import { day } from '@/web/time'
import type { Words } from '@/words/words'

/** A date without its time. */
export const sinceWhen = (at: string, words: Words): Html => day(new Date(at), words)

type Listed = { id: string; username: string; name: string; avatarUrl: string | null }

/** A person in a list, with a date. */
export const personRow = (
  person: Listed,
  { label, at }: { label: string; at: string | null },
  words: Words,
): Html =>
  html`<li>${face(person)}<div class="what"><p class="name" dir="auto"><a href="/u/${person.username}">${person.name}</a></p>
<p class="quiet small"><bdi>@${person.username}</bdi>${at !== null && html` · ${label} ${sinceWhen(at, words)}`}</p></div></li>
`

type Shown = { id: string; username: string; name: string; avatarUrl: string | null }

export const faces = (people: readonly Shown[]): Html =>
  html`<ul class="faces named" role="list">${people.map(
    (person) =>
      html`<li><a href="/u/${person.username}">${face(person)}<span dir="auto">${person.name}</span></a></li>`,
  )}</ul>`

type Pictured = { id: string; name: string; avatarUrl: string | null }
type Size = 'small' | 'middle' | 'large'

const PIXELS: Record<Size, number> = { small: 36, middle: 48, large: 112 }
const HUES = 8

/** A person's picture, or coloured initials. Decorative: the name is beside it. */
export function face({ id, name, avatarUrl }: Pictured, size: Size = 'middle'): Html {
  const path = ownPicture(avatarUrl)
  const pixels = PIXELS[size]
  return path === undefined
    ? html`<span class="face ${size} hue${Bun.hash.crc32(id) % HUES}" aria-hidden="true">${initialsOf(name)}</span>`
    : html`<img class="face ${size}" src="${path}?w=${size === 'large' ? 320 : 160}" alt="" width="${pixels}" height="${pixels}" loading="lazy" decoding="async">`
}

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

type Person = {
  id: string
  name: string
  username: string | null
  avatarUrl: string | null
  isPublic?: boolean
}

/** The head of a row: a person with details below the name. */
export const person = ({ id, name, username, avatarUrl, isPublic = true }: Person, more?: Html): Html =>
  html`${face({ id, name, avatarUrl }, 'small')}
<div class="what"><p class="name" dir="auto">${username === null || !isPublic ? name : html`<a href="/u/${username}">${name}</a>`}</p>
<p class="quiet small">${username !== null && html`<bdi>@${username}</bdi>${more && ' '}`}${more}</p></div>
`
