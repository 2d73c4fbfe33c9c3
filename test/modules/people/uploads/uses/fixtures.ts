import { listeners } from '@/areas'
import { randomHex } from '@/core/codes'
import type { Category } from '@/modules/people/uploads/categories'
import { get, type Json, patch, post } from '../../../../support/api'
import { drain } from '../../../../support/drain'
import { makeCaller, makeEvent, makeGroup } from '../../../../support/make'
import { makeUpload } from '../../../../support/make-upload'
import { inHours } from '../../../../support/time'

export const SCOPES = [
  'user',
  'write:portfolio',
  'developer',
  'manage:groups',
  'manage:events',
  'read:events',
  'write:uploads',
] as const

/** Somebody with one of everything that shows pictures. */
export async function makeOwner() {
  const { user, token } = await makeCaller([...SCOPES])
  const group = await makeGroup({}, user.id)
  const event = await makeEvent(group.id)
  const item = await post('/v1/profile/portfolio', { token, json: { title: 'Chair' } })
  const app = await post('/v1/developer/apps', {
    token,
    json: { name: `App ${randomHex(4)}`, redirectUris: ['https://app.example/back'] },
  })
  return {
    user,
    token,
    group,
    event,
    itemId: item.body.data.id as string,
    clientId: app.body.data.clientId as string,
  }
}
export type Owner = Awaited<ReturnType<typeof makeOwner>>

type Place = {
  field: string
  category: Category
  path: (owner: Owner) => string
  read: (owner: Owner) => Promise<Json>
}

const managedGroup = (owner: Owner) => `/v1/manage/groups/${owner.group.id}`
const managedEvent = (owner: Owner) => `${managedGroup(owner)}/events/${owner.event.id}`
const readAt = (path: (owner: Owner) => string) => async (owner: Owner) =>
  (await get(path(owner), { token: owner.token })).body.data

/** Everything that shows a picture: where it is changed, and where it is read. */
export const PLACES: Record<string, Place> = {
  'an avatar': {
    field: 'avatarUrl',
    category: 'avatar',
    path: () => '/v1/profile',
    read: readAt(() => '/v1/profile'),
  },
  'a hero image': {
    field: 'heroImageUrl',
    category: 'hero',
    path: () => '/v1/profile',
    read: readAt(() => '/v1/profile'),
  },
  'a portfolio image': {
    field: 'imageUrl',
    category: 'media',
    path: ({ itemId }) => `/v1/profile/portfolio/${itemId}`,
    read: async ({ token }) => (await get('/v1/profile/portfolio', { token })).body.data[0],
  },
  'a group photo': {
    field: 'photoUrl',
    category: 'group-photo',
    path: managedGroup,
    read: readAt(managedGroup),
  },
  'a group’s hero image': {
    field: 'heroImageUrl',
    category: 'hero',
    path: managedGroup,
    read: readAt(managedGroup),
  },
  'an event photo': {
    field: 'photoUrl',
    category: 'event-photo',
    path: managedEvent,
    read: readAt(managedEvent),
  },
  'a logo': {
    field: 'logoUri',
    category: 'app-logo',
    path: ({ clientId }) => `/v1/developer/apps/${clientId}`,
    read: readAt(({ clientId }) => `/v1/developer/apps/${clientId}`),
  },
}

export const show = (owner: Owner, { path, field }: Place, address: string | null, token = owner.token) =>
  patch(path(owner), { token, json: { [field]: address } })

export const shown = async (owner: Owner, { read, field }: Place) => (await read(owner))[field]

/** Somebody who shows a picture of theirs in one place. */
export async function showing(place: Place) {
  const owner = await makeOwner()
  const upload = await makeUpload(owner.user.id, { category: place.category })
  const { status } = await show(owner, place, upload.url)
  if (status !== 200) throw new Error(`showing a picture: ${status}`)
  return { owner, upload }
}

export const newEvent = () => ({
  title: 'Picnic',
  startTime: inHours(30).toISOString(),
  timezone: 'Europe/Lisbon',
})

/** Lets every consequence take place. */
export const settle = () => drain(listeners)
