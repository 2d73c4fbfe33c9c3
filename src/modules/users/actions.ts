import { action } from '@/core/action'
import type { Caller } from '@/core/caller'
import { notFound } from '@/core/errors'
import { type Page, pageOf } from '@/core/page'
import { perObject } from '@/core/per-object'
import { cache } from '@/db/cache'
import { db } from '@/db/client'
import { keysetPage } from '@/db/keyset'
import { type Known, personNamed } from './memory'
import { presentEntry, presentProfile } from './present'
import { mayKnow } from './public'
import { directoryOrder, listPublicUsers } from './queries'
import { DirectoryInput, PublicUserList, PublicUserProfile, UsernameInput } from './schema'

export const listUsers = action({
  name: 'listUsers',
  access: 'read:user',
  summary: 'Browse and search the directory of people',
  input: DirectoryInput,
  output: pageOf(PublicUserList),
  stable: true,
  run: (_caller, input) => directory.get(JSON.stringify(input)),
})

/** The directory is the same for everyone, and most people look at the same pages of it. */
const directory = cache<Page<PublicUserList>>({
  max: 500,
  load: (key) => readDirectory(JSON.parse(key) as DirectoryInput),
  drops: (fact, drop) => {
    if (fact.type === 'user.updated' || fact.type === 'user.deleted') drop.all()
  },
})

function readDirectory(input: DirectoryInput): Promise<Page<PublicUserList>> {
  const { search, badge, sort = 'joined' } = input
  return keysetPage(
    {
      list: 'users',
      filters: { search, badge, sort },
      input,
      order: directoryOrder(sort),
      // Nobody holds a badge yet, so nobody holds those that are asked for.
      rows: async (slice) => (badge === undefined ? listPublicUsers(db, search, slice) : []),
    },
    presentEntry,
  )
}

export const readUser = action({
  name: 'readUser',
  access: 'read:user',
  summary: 'Read the public profile of a person',
  input: UsernameInput,
  output: PublicUserProfile,
  errors: ['not_found'],
  stable: true,
  run: (caller, { username }) => {
    const person = personNamed(username)
    return person instanceof Promise ? person.then((known) => show(caller, known)) : show(caller, person)
  },
})

function show(caller: Caller, person: Known | null): PublicUserProfile {
  if (person === null || !mayKnow(caller, person.user)) throw notFound('User')
  return presented(person)
}

const presented = perObject(presentProfile)
