import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import { now } from '@/core/clock'
import { newId } from '@/core/ids'
import { log } from '@/core/log'
import { reasonOf } from '@/core/reason'
import { db } from '@/db/client'
import { DEMO_DOMAIN } from '@/db/migrate/installation'
import { transaction } from '@/db/transaction'
import type { Category } from '@/modules/people/uploads/categories'
import { fileName, newKey, publicUrl } from '@/modules/people/uploads/key'
import { storage } from '@/outbound/storage/current'
import { GROUPS } from '../groups'
import { ADMINISTRATOR_NAME, ORGANIZER_NAMES, PEOPLE } from '../people'
import { PLANS } from '../plans'
import { findDemo, hasPictures, insertPictures } from './queries'

/** Some users, groups and events have no picture, to show pages without. */
export const AVATARS = PEOPLE.filter(
  ({ name }, index) =>
    index < 10 || index % 3 === 0 || ORGANIZER_NAMES.has(name) || name === ADMINISTRATOR_NAME,
).map(({ username }) => ({ username, file: `avatar-${username}.webp` }))

export const GROUP_PICTURES = GROUPS.map(({ urlname }, group) => ({
  urlname,
  group,
  photo: `group-${urlname}.png`,
  hero: `cover-${urlname}.jpg`,
}))

export const EVENT_PHOTOS = PLANS.flatMap(({ title, group }, index) =>
  index % 3 === 1 ? [] : [{ title, group, file: `event-${title.toLowerCase().replaceAll(' ', '-')}.jpg` }],
)

/** Stores the pictures unless some exist. The next start resumes an interrupted attempt. */
export async function seedPictures(): Promise<void> {
  try {
    if (!(await hasPictures(db, DEMO_DOMAIN))) await hang()
  } catch (error) {
    log.warn('the demo community stays without pictures', reasonOf(error))
  }
}

async function hang(): Promise<void> {
  const { people, groups, events } = await findDemo(db, DEMO_DOMAIN)
  const avatars = await each(AVATARS, async ({ username, file }) => {
    const person = people.get(username)
    return person && { id: person.id, ...(await store(person.id, 'avatar', file)) }
  })
  const photos = await each(GROUP_PICTURES, async ({ urlname, photo }) => {
    const group = groups.get(urlname)
    return group && { id: group.id, ...(await store(group.ownerId, 'group-photo', photo)) }
  })
  const heroes = await each(GROUP_PICTURES, async ({ urlname, hero }) => {
    const group = groups.get(urlname)
    return group && { id: group.id, ...(await store(group.ownerId, 'hero', hero)) }
  })
  const eventPhotos = await each(EVENT_PHOTOS, async ({ title, file }) => {
    const event = events.get(title)
    return event && { ...event, ...(await store(event.ownerId, 'event-photo', file)) }
  })
  await transaction((tx) => insertPictures(tx, { avatars, photos, heroes, eventPhotos }))
}

const each = async <T, R>(list: readonly T[], work: (one: T) => Promise<R | undefined>): Promise<R[]> =>
  (await Promise.all(list.map(work))).filter((result) => result !== undefined)

const TYPES = { webp: 'image/webp', png: 'image/png', jpg: 'image/jpeg' } as const

/** Skips the check, which would dominate the time of the first start. Every width serves the original. */
async function store(ownerId: string, category: Category, filename: string) {
  const path = join(import.meta.dir, filename)
  const contentType = TYPES[filename.split('.').at(-1) as keyof typeof TYPES]
  const [file, key, scratch] = [
    crypto.randomUUID(),
    newKey({ category, contentType }, filename),
    storage.scratch(),
  ]
  await copyFile(path, scratch)
  await storage.adopt(fileName(file), scratch)
  const content = await Bun.file(path).bytes()
  const sha256 = new Bun.CryptoHasher('sha256').update(content).digest('hex')
  const row = {
    ...{ id: newId(), key, ownerId, maker: 'person' as const, category, filename, contentType },
    ...{ declaredSize: content.length, size: content.length, sha256, state: 'ready' as const, file },
    ...{ expiresAt: now(), createdAt: now(), changedAt: now() },
  }
  return { row, url: publicUrl(key) }
}
