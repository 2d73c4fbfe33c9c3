import { and, asc, eq, getTableColumns, inArray, lte, type SQL, sql } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import { now } from '@/core/clock'
import { FILES_PATH } from '@/core/own-addresses'
import type { Db, Tx } from '@/db/client'
import { is, isOneOf } from '@/db/comparisons'
import { uploadKey } from '@/db/tables/columns'
import { uploads } from '@/db/tables/uploads'
import type { Category } from '../categories'
import { REMOVED } from '../queries'

type Columns = Record<string, PgColumn>

/** A column that stores image URLs. */
export type PicturePlace<C extends Columns = Columns> = {
  /** The JSON field. */
  field: string
  /** The upload category for this place; `media` may be used anywhere. */
  category: Category
  /** Pictures by default. */
  kind?: 'picture' | 'model'
  column: PgColumn
  /** Columns that identify the row in a domain event. */
  about: C
  /** Emits that these rows lost their image. */
  notify: (tx: Tx, rows: { [N in keyof C]: string }[]) => Promise<void>
}

export const picturePlace = <C extends Columns>(place: PicturePlace<C>) => place as unknown as PicturePlace

/** Categories whose files must be in use; `media` files stay without one. */
const FOR_USE = [
  'avatar',
  'hero',
  'app-logo',
  'group-photo',
  'event-photo',
  'meetpass-image',
  'meetpass-model',
] satisfies Category[]
const isForUse = inArray(uploads.category, FOR_USE).inlineParams()
const isReady = is(uploads.state, 'ready')

const isOneOfKeys = (keys: string[]) => sql`${uploads.key} = any(${sql.param(keys)}::text[])`

export type LockedUpload = {
  id: string
  key: string
  ownerId: string | null
  category: string
  contentType: string
  unusedSince: Date | null
}

/** Locks ready files in id order until the commit, so that they cannot be removed. */
export const lockReady = (tx: Tx, keys: string[]): Promise<LockedUpload[]> =>
  tx
    .select({
      id: uploads.id,
      key: uploads.key,
      ownerId: uploads.ownerId,
      category: uploads.category,
      contentType: uploads.contentType,
      unusedSince: uploads.unusedSince,
    })
    .from(uploads)
    .where(and(isOneOfKeys(keys), isReady))
    .orderBy(asc(uploads.id))
    .for('no key update')

/** Which of these keys are in use. */
export async function usedKeys(db: Db | Tx, places: PicturePlace[], keys: string[]): Promise<Set<string>> {
  if (keys.length === 0) return new Set()
  const rows = await db.execute<{ key: string }>(lookingThrough(places, keys))
  return new Set(rows.map(({ key }) => key))
}

export const lookingThrough = (places: PicturePlace[], keys: string[]): SQL =>
  sql.join(
    places.map(
      ({ column }) =>
        sql`select ${uploadKey(column)} as key from ${column.table} where ${uploadKey(column)} = any(${sql.param(keys)}::text[])`,
    ),
    sql` union all `,
  )

export async function emptyPlace(
  tx: Tx,
  { column, about, notify }: PicturePlace,
  keys: string[],
): Promise<void> {
  const emptied = await tx
    .update(column.table as PgTable)
    .set(setting(column, null))
    .where(sql`${uploadKey(column)} = any(${sql.param(keys)}::text[])`)
    .returning(about)
  if (emptied.length > 0) await notify(tx, emptied as Record<string, string>[])
}

/** Removes scheme and host from these URLs, which earlier releases stored. */
export async function respellPlace(tx: Tx, { column, about, notify }: PicturePlace, keys: string[]) {
  const respelled = await tx
    .update(column.table as PgTable)
    .set(setting(column, sql`${FILES_PATH}::text || split_part(${column}, 'v1/uploads/file/', 2)`))
    .where(sql`${uploadKey(column)} = any(${sql.param(keys)}::text[]) and not starts_with(${column}, '/')`)
    .returning(about)
  if (respelled.length > 0) await notify(tx, respelled as Record<string, string>[])
}

/** Which of these keys are stored with a host. */
export async function keysWithHost(db: Db, places: PicturePlace[], keys: string[]): Promise<string[]> {
  if (keys.length === 0) return []
  const looking = places.map(
    ({ column }) => sql`select ${uploadKey(column)} as key from ${column.table}
      where ${uploadKey(column)} = any(${sql.param(keys)}::text[]) and not starts_with(${column}, '/')`,
  )
  const rows = await db.execute<{ key: string }>(sql.join(looking, sql` union `))
  return rows.map(({ key }) => key)
}

export const listReady = (db: Db, after: string, limit: number) =>
  db
    .select({ id: uploads.id, key: uploads.key })
    .from(uploads)
    .where(and(sql`${uploads.id} > ${after}::uuid`, isReady))
    .orderBy(asc(uploads.id))
    .limit(limit)

function setting(column: PgColumn, value: SQL | null): Record<string, SQL | null> {
  const columns = Object.entries(getTableColumns(column.table) as Columns)
  const name = columns.find(([, one]) => one === column)?.[0] as string
  return columns.some(([other]) => other === 'updatedAt')
    ? { [name]: value, updatedAt: sql`now()` }
    : { [name]: value }
}

export const listForUse = (db: Db, after: string, limit: number) =>
  db
    .select({ id: uploads.id, key: uploads.key, unusedSince: uploads.unusedSince })
    .from(uploads)
    .where(and(sql`${uploads.id} > ${after}::uuid`, isReady, isForUse))
    .orderBy(asc(uploads.id))
    .limit(limit)

export const markUsed = (db: Db | Tx, ids: string[]) =>
  db
    .update(uploads)
    .set({ unusedSince: null })
    .where(and(isOneOf(uploads.id, ids), sql`${uploads.unusedSince} is not null`))
    .execute()

export const markUnused = (db: Db | Tx, ids: string[]) =>
  db
    .update(uploads)
    .set({ unusedSince: now() })
    .where(and(isOneOf(uploads.id, ids), isReady, sql`${uploads.unusedSince} is null`))
    .execute()

export const markUnusedSince = (tx: Tx, keys: string[], since: Date) => {
  const held = tx
    .select({ id: uploads.id })
    .from(uploads)
    .where(and(isOneOfKeys(keys), isReady, isForUse))
    .orderBy(asc(uploads.id))
    .for('no key update')
  return tx.update(uploads).set({ unusedSince: since }).where(inArray(uploads.id, held)).execute()
}

/** Files unused since before that time; skips those that are being put to use. */
export const lockUnused = (tx: Tx, before: Date, limit: number) =>
  tx
    .select({ id: uploads.id, key: uploads.key, ownerId: uploads.ownerId })
    .from(uploads)
    .where(and(sql`${uploads.unusedSince} is not null`, lte(uploads.unusedSince, before)))
    .orderBy(uploads.unusedSince, uploads.id)
    .limit(limit)
    .for('update', { skipLocked: true })

export const markRemovedById = (tx: Tx, ids: string[]) =>
  tx.update(uploads).set(REMOVED()).where(isOneOf(uploads.id, ids)).execute()

export const findReady = async (tx: Tx, key: string) =>
  (
    await tx
      .select({ id: uploads.id })
      .from(uploads)
      .where(and(eq(uploads.key, key), isReady))
      .for('no key update')
  )[0]
