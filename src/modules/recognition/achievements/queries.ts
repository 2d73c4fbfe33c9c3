import { and, count, eq, isNotNull, or, sql } from 'drizzle-orm'
import type { Db, Tx } from '@/db/client'
import { is, isOneOf } from '@/db/comparisons'
import { achievementProgress, achievements } from '@/db/tables/achievements'

export type AchievementRow = typeof achievements.$inferSelect

const visible = and(achievements.enabled, is(achievements.hidden, false))

export const progressOf = (userId: string) =>
  and(eq(achievementProgress.achievementKey, achievements.key), eq(achievementProgress.userId, userId))

/** Hidden achievements appear only when completed. */
export const listProgressOf = (db: Db | Tx, userId: string) =>
  db
    .select({
      key: achievements.key,
      name: achievements.name,
      description: achievements.description,
      icon: achievements.icon,
      color: achievements.color,
      targetValue: achievements.targetValue,
      currentValue: sql<number>`coalesce(${achievementProgress.currentValue}, 0)`,
      completedAt: achievementProgress.completedAt,
      badgeSlug: knownBadgeSlug(userId),
      hidden: achievements.hidden,
    })
    .from(achievements)
    .leftJoin(achievementProgress, progressOf(userId))
    .where(
      and(
        achievements.enabled,
        or(is(achievements.hidden, false), isNotNull(achievementProgress.completedAt)),
      ),
    )
    .orderBy(achievements.sortOrder, achievements.key)

/** Hidden badges are visible only to holders. Fully qualified, because it is a subquery of a statement on `achievements`. */
const knownBadgeSlug = (userId: string) => sql<string | null>`(
  select badge.slug from badges badge where badge.slug = achievements.badge_slug and (not badge.hidden or exists (
    select 1 from badge_awards award where award.badge_id = badge.id and award.user_id = ${userId})))`

/** Public achievements that award this badge. */
export const listLeadingTo = (db: Db | Tx, badgeSlug: string) =>
  db
    .select({
      key: achievements.key,
      name: achievements.name,
      description: achievements.description,
      targetValue: achievements.targetValue,
    })
    .from(achievements)
    .where(and(visible, eq(achievements.badgeSlug, badgeSlug)))
    .orderBy(achievements.sortOrder, achievements.key)

/** Public achievements only. */
export const completedBy = (db: Db | Tx, userId: string) =>
  db
    .select({
      key: achievements.key,
      name: achievements.name,
      description: achievements.description,
      icon: achievements.icon,
      color: achievements.color,
      completedAt: sql<Date>`${achievementProgress.completedAt}`.mapWith(achievementProgress.completedAt),
    })
    .from(achievements)
    .innerJoin(achievementProgress, progressOf(userId))
    .where(and(visible, isNotNull(achievementProgress.completedAt)))
    .orderBy(achievements.sortOrder, achievements.key)

export const countVisible = (db: Db | Tx): Promise<number> => db.$count(achievements, visible)

/** People without any are missing from the map. */
export async function completedCounts(db: Db | Tx, userIds: string[]): Promise<Map<string, number>> {
  if (userIds.length === 0) return new Map()
  const rows = await db
    .select({ userId: achievementProgress.userId, completed: count() })
    .from(achievementProgress)
    .innerJoin(achievements, eq(achievements.key, achievementProgress.achievementKey))
    .where(
      and(isOneOf(achievementProgress.userId, userIds), isNotNull(achievementProgress.completedAt), visible),
    )
    .groupBy(achievementProgress.userId)
  return new Map(rows.map(({ userId, completed }) => [userId, completed]))
}

export async function listCountedTypes(db: Db | Tx): Promise<Set<string>> {
  const rows = await db
    .selectDistinct({ type: achievements.eventType })
    .from(achievements)
    .where(is(achievements.enabled, true))
  return new Set(rows.map(({ type }) => type))
}
