import { and, eq, inArray, lt, sql } from 'drizzle-orm'
import { now } from '@/core/clock'
import type { Db } from '@/db/client'
import { is } from '@/db/comparisons'
import { deleteInSlices, SLICE } from '@/db/delete-in-slices'
import { uploads } from '@/db/tables/uploads'

type Place = { changedAt: Date; id: string }

const isRemoved = is(uploads.state, 'removed')

export const listRemoved = (db: Db, { changedAt, id }: Place, limit: number) =>
  db
    .select()
    .from(uploads)
    .where(
      and(
        isRemoved,
        sql`(${uploads.changedAt}, ${uploads.id}) > (${changedAt.toISOString()}::timestamptz, ${id}::uuid)`,
      ),
    )
    .orderBy(uploads.changedAt, uploads.id)
    .limit(limit)

export const deleteRemoved = (db: Db, id: string) =>
  db
    .delete(uploads)
    .where(and(eq(uploads.id, id), isRemoved))
    .execute()

/** Expired upload requests release their quota. */
export async function removeExpired(db: Db, before: Date): Promise<void> {
  for (let found = SLICE; found === SLICE; ) {
    const expired = db
      .select({ id: uploads.id })
      .from(uploads)
      .where(and(is(uploads.state, 'requested'), lt(uploads.expiresAt, before)))
      .orderBy(uploads.expiresAt, uploads.id)
      .limit(SLICE)
      .for('update', { skipLocked: true })
    const removed = await db
      .update(uploads)
      .set({ state: 'removed', nextCheckAt: null, changedAt: now() })
      .where(inArray(uploads.id, expired))
      .returning({ id: uploads.id })
    found = removed.length
  }
}

export const deleteRefused = (db: Db, before: Date) =>
  deleteInSlices(db, uploads, {
    old: and(sql`${uploads.state} in ('refused', 'removed')`, lt(uploads.changedAt, before)),
    by: [uploads.changedAt, uploads.id],
    only: is(uploads.state, 'refused'),
  })
