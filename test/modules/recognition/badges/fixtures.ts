import { and, eq, sql } from 'drizzle-orm'
import { randomHex } from '@/core/codes'
import { newId } from '@/core/ids'
import { db } from '@/db/client'
import { auditLog } from '@/db/tables/administration'
import { badgeAwards, groupScores } from '@/db/tables/badges'
import { outbox } from '@/db/tables/outbox'
import { users } from '@/db/tables/users'
import { dropCaches } from '@/outbox/bus'
import { makeBadge as makeRow, makeStaffedGroup as makeStaff } from '../../../support/make'

/** Written past the server, so that caches of the catalogue have to be told. */
export async function makeBadge(fields?: Parameters<typeof makeRow>[0]) {
  const badge = await makeRow(fields)
  dropCaches()
  return badge
}

export async function giveBadge(badgeId: string, userId: string, awardedAt = new Date()) {
  await db.insert(badgeAwards).values({ id: newId(), badgeId, userId, source: 'admin', awardedAt })
  dropCaches()
}

/** A group with somebody in each role, who may all manage badges. */
export async function makeStaffedGroup(fields?: Parameters<typeof makeStaff>[1]) {
  const staffed = await makeStaff(['manage:badges'], fields)
  return { ...staffed, at: `/v1/manage/groups/${staffed.group.id}/badges` }
}

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

/** The domain events about a badge, oldest first. */
export const eventsAbout = async (badgeId: string) =>
  db
    .select({ type: outbox.type, data: outbox.payload })
    .from(outbox)
    .where(sql`${outbox.payload}->>'badgeId' = ${badgeId}`)
    .orderBy(outbox.id)

export const scoreEventsOf = async (userId: string) =>
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
