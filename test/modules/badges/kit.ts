import { and, eq, sql } from 'drizzle-orm'
import { randomHex } from '@/core/codes'
import { newId } from '@/core/ids'
import { db } from '@/db/client'
import { forgetAll } from '@/db/facts'
import { auditLog } from '@/db/tables/administration'
import { badgeAwards, badges, groupScores } from '@/db/tables/badges'
import { outbox } from '@/db/tables/facts'
import { users } from '@/db/tables/users'
import { get } from '../../support/api'
import { makeCaller, makeGroup, makeMember } from '../../support/make'

/** A badge of the platform, unless a group is named. */
export async function makeBadge(fields: Partial<typeof badges.$inferInsert> = {}) {
  const unique = randomHex(6)
  const [row] = await db
    .insert(badges)
    .values({
      id: newId(),
      name: `Badge ${unique}`,
      slug: `badge-${unique}`,
      icon: '🏅',
      color: '#123456',
      points: 10,
      ...fields,
    })
    .returning()
  forgetAll()
  return row as typeof badges.$inferSelect
}

export async function giveBadge(badgeId: string, userId: string, awardedAt = new Date()) {
  await db.insert(badgeAwards).values({ id: newId(), badgeId, userId, source: 'admin', awardedAt })
  forgetAll()
}

/** A group with somebody in each role, who may all manage badges. */
export async function makeStaffedGroup(fields: Parameters<typeof makeGroup>[0] = {}) {
  const [owner, manager, volunteer] = await Promise.all([1, 2, 3].map(() => makeCaller(['manage:badges'])))
  if (!owner || !manager || !volunteer) throw new Error('nobody came')
  const group = await makeGroup(fields, owner.user.id)
  await makeMember(group.id, manager.user.id, 'manager')
  await makeMember(group.id, volunteer.user.id, 'volunteer')
  return { group, owner, manager, volunteer, at: `/v1/manage/groups/${group.id}/badges` }
}

export const makeAdmin = () => makeCaller(['admin'], { role: 'admin' })

/** What the body of a new badge needs. */
export const newBadge = (fields: Record<string, unknown> = {}) => ({
  name: 'Early Bird',
  slug: `made-${randomHex(6)}`,
  icon: '🐦',
  ...fields,
})

export const scoreOf = async (userId: string) =>
  (
    await db
      .select({ xp: users.xp, badgeCount: users.badgeCount, at: users.xpReachedAt })
      .from(users)
      .where(eq(users.id, userId))
  )[0]

export const groupScoreOf = async (groupId: string, userId: string) =>
  (
    await db
      .select({ xp: groupScores.xp, badgeCount: groupScores.badgeCount })
      .from(groupScores)
      .where(and(eq(groupScores.groupId, groupId), eq(groupScores.userId, userId)))
  )[0]

/** The facts about a badge, oldest first. */
export const factsAbout = async (badgeId: string) =>
  db
    .select({ type: outbox.type, data: outbox.payload })
    .from(outbox)
    .where(sql`${outbox.payload}->>'badgeId' = ${badgeId}`)
    .orderBy(outbox.id)

export const scoreFactsOf = async (userId: string) =>
  (
    await db
      .select({ data: outbox.payload })
      .from(outbox)
      .where(and(eq(outbox.type, 'score.changed'), sql`${outbox.payload}->>'userId' = ${userId}`))
      .orderBy(outbox.id)
  ).map(({ data }) => data)

export const auditOf = async (targetId: string) =>
  db
    .select({
      action: auditLog.action,
      targetType: auditLog.targetType,
      actorId: auditLog.actorId,
      changes: auditLog.changes,
      requestId: auditLog.requestId,
    })
    .from(auditLog)
    .where(eq(auditLog.targetId, targetId))
    .orderBy(auditLog.at, auditLog.id)

/** Every item of a list, page by page. */
export async function walk(path: string, token: string, limit = 3) {
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape and assert what they find.
  const items: any[] = []
  let cursor = ''
  do {
    const { body } = await get(`${path}?limit=${limit}${cursor && `&cursor=${cursor}`}`, { token })
    items.push(...body.data)
    cursor = body.pagination.nextCursor ?? ''
  } while (cursor)
  return items
}
