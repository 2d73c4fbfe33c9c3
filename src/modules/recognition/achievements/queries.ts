import { and, count, eq, isNotNull, or, sql } from 'drizzle-orm'
import type { Db, Tx } from '@/db/client'
import { is, isOneOf } from '@/db/comparisons'
import { achievementProgress, achievements } from '@/db/tables/achievements'

export type AchievementRow = typeof achievements.$inferSelect

/** Achievements that everyone may know of. */
const visible = and(achievements.enabled, is(achievements.hidden, false))

/** Joins a person's progress to the definitions. */
export const progressOf = (userId: string) =>
  and(eq(achievementProgress.achievementKey, achievements.key), eq(achievementProgress.userId, userId))

/** A person's progress with the achievements that they may know of: a hidden one only once it is completed. */
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

/** A hidden badge is there for those who hold it. Named in full: it stands inside a statement about `achievements`. */
const knownBadgeSlug = (userId: string) => sql<string | null>`(
  select badge.slug from badges badge where badge.slug = achievements.badge_slug and (not badge.hidden or exists (
    select 1 from badge_awards award where award.badge_id = badge.id and award.user_id = ${userId})))`

/** What brings a badge by itself, as far as strangers may know of it. */
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

/** The achievements that a person has completed, as far as strangers may know of them. */
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

/** The number of achievements that everyone may know of. */
export const countVisible = (db: Db | Tx): Promise<number> => db.$count(achievements, visible)

/** How many of those each person has completed; people without any are left out. */
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

/** The types of domain events that some enabled achievement counts. */
export async function listCountedTypes(db: Db | Tx): Promise<Set<string>> {
  const rows = await db
    .selectDistinct({ type: achievements.eventType })
    .from(achievements)
    .where(is(achievements.enabled, true))
  return new Set(rows.map(({ type }) => type))
}
