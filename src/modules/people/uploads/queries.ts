import { and, asc, eq, or, sql } from 'drizzle-orm'
import { now } from '@/core/clock'
import type { Db, Tx } from '@/db/client'
import { is, isNot } from '@/db/comparisons'
import { type After, descending } from '@/db/keyset'
import { demandWithin, lockParent } from '@/db/quotas'
import { complete } from '@/db/rows'
import { uploads } from '@/db/tables/uploads'
import { users } from '@/db/tables/users'

export type UploadRow = typeof uploads.$inferSelect
type NewUpload = typeof uploads.$inferInsert

export const NEWEST_FIRST = descending<UploadRow>(
  [uploads.createdAt, (row) => row.createdAt],
  [uploads.id, (row) => row.id],
)

const isReady = is(uploads.state, 'ready')

const isOwnersOf = (ownerId: string, category: string | undefined) =>
  and(
    eq(uploads.ownerId, ownerId),
    isReady,
    category === undefined ? undefined : eq(uploads.category, category),
  )

export const listUploadsOf = (db: Db, ownerId: string, category: string | undefined, after: After) =>
  db
    .select()
    .from(uploads)
    .where(and(isOwnersOf(ownerId, category), after))

export const countUploadsOf = (db: Db, ownerId: string, category: string | undefined) =>
  db.$count(uploads, isOwnersOf(ownerId, category))

/** Pending uploads count with their declared size. */
export const sumUploadsOf = (db: Db, ownerId: string) =>
  db
    .select({
      category: uploads.category,
      size: sql<number>`sum(coalesce(${uploads.size}, ${uploads.declaredSize}))::float8`,
      count: sql<number>`count(*)::int`,
    })
    .from(uploads)
    .where(
      and(
        eq(uploads.ownerId, ownerId),
        sql`(${uploads.state} in ('received', 'ready') or ${uploads.state} = 'requested' and ${uploads.expiresAt} > ${now().toISOString()}::timestamptz)`,
      ),
    )
    .groupBy(uploads.category)
    .orderBy(asc(uploads.category))

export const demandQuotaForUpload = (tx: Tx, ownerId: string, size: number) =>
  demandQuota(tx, ownerId, { files: 1, bytes: size })

/** A re-encoded image may exceed its declared size. */
export const demandQuotaForMore = (tx: Tx, ownerId: string, bytes: number) =>
  demandQuota(tx, ownerId, { files: 0, bytes })

/** Pending uploads count with their declared size; refused and removed ones do not count. */
async function demandQuota(tx: Tx, ownerId: string, more: { files: number; bytes: number }): Promise<void> {
  await lockParent(tx, [users.id, ownerId])
  const [held] = await tx
    .select({
      files: sql<number>`count(*)::int`,
      bytes: sql<number>`coalesce(sum(coalesce(${uploads.size}, ${uploads.declaredSize})), 0)::float8`,
      unsent: sql<number>`count(*) filter (where ${uploads.state} = 'requested')::int`,
    })
    .from(uploads)
    .where(and(eq(uploads.ownerId, ownerId), sql`${uploads.state} in ('requested', 'received', 'ready')`))
  const advice = adviceFor(held?.unsent ?? 0)
  demandWithin(
    'uploadedFiles',
    (held?.files ?? 0) + more.files,
    (max) => `You may have ${max} files: ${advice}`,
  )
  demandWithin(
    'uploadedBytes',
    (held?.bytes ?? 0) + more.bytes,
    (max) => `Your files may take ${inWords(max)} together: ${advice}`,
  )
}

/** Pending uploads are in no list, so the owner cannot delete them. */
const adviceFor = (unsent: number) =>
  unsent === 0
    ? 'delete some first'
    : `delete some first, or wait. ${unsent} that you asked for and have not sent count too, and are given back within an hour`

const inWords = (bytes: number) =>
  bytes % 1024 ** 3 === 0 ? `${bytes / 1024 ** 3} GiB` : `${bytes.toLocaleString('en')} bytes`

export const insertUpload = (tx: Tx, row: NewUpload) =>
  tx.insert(uploads).values(complete(uploads, row)).execute()

export const findUploadByKey = async (db: Db | Tx, key: string): Promise<UploadRow | undefined> =>
  (await db.select().from(uploads).where(eq(uploads.key, key)))[0]

export const isAnyStored = async (db: Db): Promise<boolean> =>
  (
    await db
      .select({ id: uploads.id })
      .from(uploads)
      .where(sql`${uploads.state} in ('received', 'ready')`)
      .limit(1)
  ).length > 0

/** Whether the requesting credential still exists and its user is active. */
const hasCredential = sql<boolean>`(
  (${uploads.maker} = 'person' or coalesce(${uploads.madeByToken}, ${uploads.madeByGrant}, ${uploads.madeBySession}) is not null)
  and exists (select 1 from ${users} where ${users.id} = ${uploads.ownerId} and ${users.suspendedAt} is null)
)`

export const findToReceive = async (db: Db, id: string) =>
  (await db.select({ upload: uploads, hasCredential }).from(uploads).where(eq(uploads.id, id)))[0]

/** Moves `requested` to `received` if the credential is still valid. Returns whether this call did it. */
export const markReceived = async (
  db: Db | Tx,
  id: string,
  incoming: string,
  sentSha256: string | null = null,
): Promise<boolean> =>
  (
    await db
      .update(uploads)
      .set({ state: 'received', incoming, sentSha256, nextCheckAt: now(), attempts: 0, changedAt: now() })
      .where(and(eq(uploads.id, id), is(uploads.state, 'requested'), hasCredential))
      .returning({ id: uploads.id })
  ).length > 0

export const REMOVED = () => ({
  state: 'removed' as const,
  reason: null,
  nextCheckAt: null,
  unusedSince: null,
  changedAt: now(),
})

/** Hides a file; its objects are removed after the commit. Owners remove their own files, administrators any. */
export const markRemoved = async (
  tx: Tx,
  key: string,
  ownerId: string | undefined,
): Promise<UploadRow | undefined> =>
  (
    await tx
      .update(uploads)
      .set(REMOVED())
      .where(
        and(
          eq(uploads.key, key),
          isNot(uploads.state, 'removed'),
          or(sql`${ownerId ?? null}::uuid is null`, eq(uploads.ownerId, sql`${ownerId ?? null}::uuid`)),
        ),
      )
      .returning()
  )[0]

export const markAllRemovedOf = (tx: Tx, ownerId: string) =>
  tx
    .update(uploads)
    .set(REMOVED())
    .where(and(eq(uploads.ownerId, ownerId), isNot(uploads.state, 'removed')))
    .execute()
