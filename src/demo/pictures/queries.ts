import { and, eq, like, type SQL, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import { storedAddress } from '@/core/own-addresses'
import type { Db, Tx } from '@/db/client'
import { is } from '@/db/comparisons'
import { events } from '@/db/tables/events'
import { groupMembers, groups } from '@/db/tables/groups'
import { uploads } from '@/db/tables/uploads'
import { users } from '@/db/tables/users'

const isOf = (domain: string) => like(users.email, `%@${domain}`)

/** Whether a demo user has a picture or an upload. */
export const hasPictures = async (db: Db, domain: string): Promise<boolean> =>
  (
    await db
      .select({ id: users.id })
      .from(users)
      .leftJoin(uploads, eq(uploads.ownerId, users.id))
      .where(and(isOf(domain), sql`(${users.avatarUrl} is not null or ${uploads.id} is not null)`))
      .limit(1)
  ).length > 0

/** Users by username, groups by urlname, and events by title with the owner of their group. */
export async function findDemo(db: Db, domain: string) {
  const people = await db.select({ id: users.id, username: users.username }).from(users).where(isOf(domain))
  const owner = and(eq(groupMembers.groupId, groups.id), is(groupMembers.role, 'owner'))
  const owned = await db
    .select({ id: groups.id, urlname: groups.urlname, ownerId: groupMembers.userId })
    .from(groups)
    .innerJoin(groupMembers, owner)
  const held = await db
    .select({ id: events.id, title: events.title, groupId: groups.id, ownerId: groupMembers.userId })
    .from(events)
    .innerJoin(groups, eq(groups.id, events.groupId))
    .innerJoin(groupMembers, owner)
  return {
    people: new Map(people.map((person) => [person.username, person])),
    groups: new Map(owned.map((group) => [group.urlname, group])),
    events: new Map(held.map((event) => [event.title, event])),
  }
}

type Hung = { id: string; url: string; row: typeof uploads.$inferInsert }
type Pictures = { avatars: Hung[]; photos: Hung[]; heroes: Hung[]; eventPhotos: Hung[] }

/** Inserts uploads and sets them as pictures where none is set. */
export async function insertPictures(
  tx: Tx,
  { avatars, photos, heroes, eventPhotos }: Pictures,
): Promise<void> {
  const sent = [...avatars, ...photos, ...heroes, ...eventPhotos]
  await tx.insert(uploads).values(sent.map(({ row }) => row))
  await tx.execute(hanging(users.avatarUrl, users.id, avatars))
  await tx.execute(hanging(groups.photoUrl, groups.id, photos))
  await tx.execute(hanging(groups.heroImageUrl, groups.id, heroes))
  await tx.execute(hanging(events.photoUrl, events.id, eventPhotos))
}

const hanging = (column: PgColumn, id: PgColumn, hung: Hung[]): SQL => sql`
  update ${column.table} set ${sql.identifier(column.name)} = hung.url
  from unnest(${sql.param(hung.map((one) => one.id))}::uuid[], ${sql.param(hung.map(({ url }) => storedAddress(url)))}::text[]) as hung (id, url)
  where ${id} = hung.id and ${column} is null`
