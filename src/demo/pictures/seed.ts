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
import { newKey, publicUrl } from '@/modules/people/uploads/key'
import { incomingName } from '@/modules/people/uploads/objects'
import { respell } from '@/modules/people/uploads/uses/respell'
import { storage } from '@/outbound/storage/current'
import { broadcast } from '@/outbox/broadcast'
import { emitAll } from '@/outbox/emit'
import { picturePlaces } from '@/pictures'
import { AVATARS, EVENT_PHOTOS, GROUP_PICTURES } from './list'
import { findDemo, hangPictures, hasPictures } from './queries'

/**
 * Gives the community its pictures, once it has been introduced: nobody waits for the disk. A start that was interrupted
 * here is made up for by the next; a community that has pictures of any kind is left as people left it.
 */
export async function seedPictures(): Promise<void> {
  try {
    await ((await hasPictures(db, DEMO_DOMAIN)) ? respell(picturePlaces) : hang())
  } catch (error) {
    log.warn('the demo community stays without pictures', reasonOf(error))
  }
}

async function hang(): Promise<void> {
  const { people, groups, events } = await findDemo(db, DEMO_DOMAIN)
  const avatars = await each(AVATARS, async ({ username, file }) => {
    const person = people.get(username)
    return person && { id: person.id, ...(await send(person.id, 'avatar', file)) }
  })
  const photos = await each(GROUP_PICTURES, async ({ urlname, photo }) => {
    const group = groups.get(urlname)
    return group && { id: group.id, ...(await send(group.ownerId, 'group-photo', photo)) }
  })
  const heroes = await each(GROUP_PICTURES, async ({ urlname, hero }) => {
    const group = groups.get(urlname)
    return group && { id: group.id, ...(await send(group.ownerId, 'hero', hero)) }
  })
  const eventPhotos = await each(EVENT_PHOTOS, async ({ title, file }) => {
    const event = events.get(title)
    return event && { ...event, ...(await send(event.ownerId, 'event-photo', file)) }
  })
  await transaction(async (tx) => {
    await hangPictures(tx, { avatars, photos, heroes, eventPhotos })
    await emitAll(
      tx,
      'user.updated',
      avatars.map(({ id }) => ({ userId: id, fields: ['avatarUrl'] })),
    )
    await emitAll(
      tx,
      'group.updated',
      photos.map(({ id }) => ({ groupId: id, fields: ['photoUrl', 'heroImageUrl'] })),
    )
    await emitAll(
      tx,
      'event.updated',
      eventPhotos.map(({ id, groupId }) => ({ eventId: id, groupId, fields: ['photoUrl'] })),
    )
    broadcast(tx, { type: 'upload.received', data: {} })
  })
}

/** One after the other: the person at the terminal comes first. */
async function each<T, R>(list: readonly T[], work: (one: T) => Promise<R | undefined>): Promise<R[]> {
  const done: R[] = []
  for (const one of list) {
    const result = await work(one)
    if (result !== undefined) done.push(result)
  }
  return done
}

const TYPES = { webp: 'image/webp', png: 'image/png', jpg: 'image/jpeg' } as const

/** Puts a picture into the storage as if its owner had just sent it. The row says so afterwards, and a worker checks it. */
async function send(ownerId: string, category: Category, file: string) {
  const path = join(import.meta.dir, file)
  const contentType = TYPES[file.split('.').at(-1) as keyof typeof TYPES]
  const [incoming, key, scratch] = [
    crypto.randomUUID(),
    newKey({ category, contentType }, file),
    storage.scratch(),
  ]
  await copyFile(path, scratch)
  const declaredSize = Bun.file(path).size
  await storage.adopt(incomingName(incoming), scratch)
  const row = {
    ...{ id: newId(), key, ownerId, maker: 'person' as const, category, filename: file, contentType },
    ...{ declaredSize, state: 'received' as const, incoming, nextCheckAt: now() },
    ...{ expiresAt: now(), createdAt: now(), changedAt: now() },
  }
  return { row, url: publicUrl(key) }
}
