import { and, desc, eq, isNull, sql } from 'drizzle-orm'
import { type Db, onceBuilt, type Tx } from '@/db/client'
import { is, isOneOf } from '@/db/comparisons'
import { demandQuota } from '@/db/quotas'
import { patched } from '@/db/rows'
import { passDesigns, passes } from '@/db/tables/passes'
import { users } from '@/db/tables/users'

export type PassRow = typeof passes.$inferSelect
export type DesignRow = typeof passDesigns.$inferSelect

const owner = {
  id: users.id,
  name: users.name,
  username: users.username,
  avatarUrl: users.avatarUrl,
  themeColor: users.themeColor,
  bio: users.bio,
  location: users.location,
  socialLinks: users.socialLinks,
  isPublic: users.isPublic,
  suspendedAt: users.suspendedAt,
}

const passesById = onceBuilt((db) =>
  db
    .select({ pass: passes, design: passDesigns, owner })
    .from(passes)
    .leftJoin(passDesigns, eq(passDesigns.id, passes.designId))
    .leftJoin(users, eq(users.id, passes.ownerId))
    .where(sql`${passes.id} = any(${sql.placeholder('ids')}::text[])`)
    .prepare('passes_by_id'),
)

export const findPasses = (ids: string[]) => passesById().execute({ ids: `{${ids.join()}}` })

export type KnownPass = Awaited<ReturnType<typeof findPasses>>[number]
export type PassOwner = NonNullable<KnownPass['owner']>

/** The QR pass first, then tags in order of minting. */
export const listPassesOf = (db: Db | Tx, userId: string) =>
  db
    .select({ pass: passes, design: passDesigns })
    .from(passes)
    .leftJoin(passDesigns, eq(passDesigns.id, passes.designId))
    .where(eq(passes.ownerId, userId))
    .orderBy(desc(is(passes.type, 'qrcode')), passes.createdAt, passes.id)

const own = (userId: string, id: string) => and(eq(passes.id, id), eq(passes.ownerId, userId))

export async function findOwnPass(db: Db | Tx, userId: string, id: string) {
  const [found] = await db
    .select({ pass: passes, design: passDesigns })
    .from(passes)
    .leftJoin(passDesigns, eq(passDesigns.id, passes.designId))
    .where(own(userId, id))
  return found
}

export const findQrPasses = (db: Db | Tx, userIds: string[]): Promise<PassRow[]> =>
  db
    .select()
    .from(passes)
    .where(and(is(passes.type, 'qrcode'), isOneOf(passes.ownerId, userIds)))

/** Inserts missing QR passes. Locks users in id order against deletion, so that concurrent calls wait instead of deadlocking. */
export const insertQrPasses = (tx: Tx, userIds: string[], ids: string[]) =>
  tx.execute<{ id: string; ownerId: string; type: string }>(sql`
    insert into ${passes} (id, type, owner_id, claimed_at)
    select fresh.id, 'qrcode', ${users.id}, now()
    from unnest(${sql.param(userIds)}::uuid[], ${sql.param(ids)}::text[]) as fresh (owner_id, id)
    join ${users} on ${users.id} = fresh.owner_id
    order by ${users.id} for key share of ${users}
    on conflict (owner_id) where type = 'qrcode' do nothing
    returning id, owner_id as "ownerId", type`)

/** Settings that owners may change. */
export const SETTINGS = [
  'label',
  'action',
  'autoFollow',
  'isActive',
  'designId',
] as const satisfies (keyof PassRow)[]

/** Locks until the commit, so that the domain event lists exactly what changed. */
export async function lockOwnPass(tx: Tx, userId: string, id: string): Promise<PassRow | undefined> {
  const [locked] = await tx.select().from(passes).where(own(userId, id)).for('no key update')
  return locked
}

export async function updateOwnPass(
  tx: Tx,
  userId: string,
  id: string,
  change: Partial<Pick<PassRow, (typeof SETTINGS)[number]>>,
): Promise<PassRow | undefined> {
  const [changed] = await tx
    .update(passes)
    .set(patched(passes, SETTINGS, change))
    .where(own(userId, id))
    .returning()
  return changed
}

/** Locks until the commit: foreign keys to this user, such as new passes, wait. */
export const closeOwner = (tx: Tx, userId: string) =>
  tx.select({ one: sql`1` }).from(users).where(eq(users.id, userId)).for('update')

export const deleteQrPassOf = (tx: Tx, userId: string) =>
  tx.delete(passes).where(and(eq(passes.ownerId, userId), is(passes.type, 'qrcode')))

/** Label and settings are personal, so a blank tag has none. */
const BLANK = { ownerId: null, label: null, designId: null, action: 'profile', autoFollow: false } as const

export const endTagsOf = (tx: Tx, userId: string) =>
  tx
    .update(passes)
    .set({ ...BLANK, isActive: false })
    .where(eq(passes.ownerId, userId))

export const findPassById = async (db: Db | Tx, id: string): Promise<PassRow | undefined> =>
  (await db.select().from(passes).where(eq(passes.id, id)))[0]

/** Reserves one place for the QR pass, which everyone may create at any time. */
export const demandQuotaForTag = (tx: Tx, userId: string) =>
  demandQuota(tx, 'passes', {
    parent: [users.id, userId],
    children: passes,
    which: and(eq(passes.ownerId, userId), is(passes.type, 'nfc')),
    more: 2,
  })

/** Returns undefined unless the tag is active and has no owner. */
export async function claimBlankTag(tx: Tx, userId: string, id: string): Promise<PassRow | undefined> {
  const [claimed] = await tx
    .update(passes)
    .set({ ownerId: userId, claimedAt: sql`now()` })
    .where(and(eq(passes.id, id), isNull(passes.ownerId), sql`${passes.isActive}`))
    .returning()
  return claimed
}

/** Makes a tag blank again; false if this person owns no such tag. */
export const releaseTag = async (tx: Tx, userId: string, id: string): Promise<boolean> =>
  (
    await tx
      .update(passes)
      .set({ ...BLANK, isActive: true, claimedAt: null })
      .where(and(own(userId, id), is(passes.type, 'nfc')))
      .returning({ id: passes.id })
  ).length > 0

/** Returns undefined unless it is this person's QR pass. */
export async function renameQrPass(
  tx: Tx,
  userId: string,
  id: string,
  renamed: string,
): Promise<PassRow | undefined> {
  const [pass] = await tx
    .update(passes)
    .set({ id: renamed })
    .where(and(own(userId, id), is(passes.type, 'qrcode')))
    .returning()
  return pass
}
