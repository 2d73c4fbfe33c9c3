import { action } from '@/core/action'
import { invalidField, notFound } from '@/core/errors'
import { type Page, pageOf } from '@/core/page'
import { refusals } from '@/core/refusals'
import { db } from '@/db/client'
import { keysetPage } from '@/db/keyset'
import type { UserRow } from '@/modules/people/users/queries'
import { UsernameInput } from '@/modules/people/users/usernames'
import { visiblePerson } from '@/modules/people/users/visible'
import { facesOf } from '@/modules/recognition/badges/queries'
import { cache } from '@/outbox/cache'
import { profiles } from './cache'
import { presentEntry } from './present'
import { directoryOrder, listPublicUsers } from './queries'
import { DirectoryInput, PublicUserList, PublicUserProfile } from './schema'

export const listUsers = action({
  name: 'listUsers',
  access: 'read:user',
  openOnSite: true,
  summary: 'Browse and search the directory of people',
  input: DirectoryInput,
  output: pageOf(PublicUserList),
  stable: true,
  run: (_caller, input) => directory.get(JSON.stringify(input)),
})

/** The directory is the same for everyone, and most readers see the same pages. */
const directory = cache<Page<PublicUserList>>({
  max: 500,
  load: (key) => readDirectory(JSON.parse(key) as DirectoryInput),
  drops: (message, drop) => {
    if (CHANGES_DIRECTORY.test(message.type)) drop.all()
  },
})

const CHANGES_DIRECTORY =
  /^(user\.(registered|updated|deleted|suspended)|badge\.(awarded|revoked|updated|deleted|settled)|group\.(updated|deleted))$/

/** Each slug adds a join for the planner. */
const SLUGS_MAX = 10

async function readDirectory(input: DirectoryInput): Promise<Page<PublicUserList>> {
  const { search, badge, sort = 'joined' } = input
  const slugs = [...new Set(badge?.split(',').map((slug) => slug.trim()) ?? [])]
  if (slugs.length > SLUGS_MAX) throw invalidField('badge', refusals.slugsMax(SLUGS_MAX))
  const found = await keysetPage(
    {
      list: 'users',
      filters: { search, badge, sort },
      input,
      order: directoryOrder(sort),
      rows: (after, cut) => listPublicUsers(db, { search, slugs }, after, cut),
    },
    (user) => user,
  )
  const ids = found.data.map(({ id }) => id)
  const faces = await facesOf(db, ids)
  const data = found.data.map((user) => presentEntry({ user, badges: faces.get(user.id) ?? [] }))
  return { ...found, data }
}

export const readUser = action({
  name: 'readUser',
  access: 'read:user',
  openOnSite: true,
  summary: 'Read the public profile of a person',
  input: UsernameInput,
  output: PublicUserProfile,
  errors: ['not_found'],
  stable: true,
  // Async only if not cached, as `visiblePerson` is.
  run: (caller, { username }) => {
    const person = visiblePerson(caller, username)
    return person instanceof Promise ? person.then(show) : show(person)
  },
})

function show({ id }: UserRow): PublicUserProfile | Promise<PublicUserProfile> {
  const profile = profiles.get(id)
  return profile instanceof Promise ? profile.then(present) : present(profile)
}

function present(profile: PublicUserProfile | null): PublicUserProfile {
  if (profile === null) throw notFound('User')
  return profile
}
