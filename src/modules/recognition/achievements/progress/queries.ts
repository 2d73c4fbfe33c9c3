import { and, eq, gte, isNull, notExists, type SQL, sql } from 'drizzle-orm'
import type { Tx } from '@/db/client'
import { isOneOf } from '@/db/comparisons'
import { achievementProgress, achievements, achievementValues } from '@/db/tables/achievements'
import { badges } from '@/db/tables/badges'
import { users } from '@/db/tables/users'
import { type AchievementRow, progressOf } from '../queries'

const definitions = sql`hashtextextended('achievements', 0)`

/** Locks definitions (shared) and this person's progress until the commit. Different people are counted in parallel. */
export const beginCounting = (tx: Tx, userId: string) =>
  tx.execute(sql`select pg_advisory_xact_lock_shared(${definitions}),
    pg_advisory_xact_lock(hashtextextended(${`achievements of ${userId}`}, 0))`)

/** Excludes all counting until the commit, so that a definition and its progress change together. */
export const stopCounting = (tx: Tx) => tx.execute(sql`select pg_advisory_xact_lock(${definitions})`)

/** Incomplete achievements that count this event type, with this person's progress. */
export const listOpen = (tx: Tx, eventType: string, userId: string) =>
  tx
    .select({
      definition: achievements,
      currentValue: sql<number>`coalesce(${achievementProgress.currentValue}, 0)`,
    })
    .from(achievements)
    .leftJoin(achievementProgress, progressOf(userId))
    .where(
      and(
        eq(achievements.eventType, eventType),
        achievements.enabled,
        isNull(achievementProgress.completedAt),
      ),
    )
    .orderBy(achievements.key)

/** Lock badges before their holders, as everywhere. */
export async function lockBadges(tx: Tx, slugs: string[]): Promise<void> {
  if (slugs.length === 0) return
  await tx
    .select({ id: badges.id })
    .from(badges)
    .where(sql`${badges.slug} = any(${sql.param(slugs)}::text[])`)
    .orderBy(badges.id)
    .for('share')
}

/** Returns false if the person was deleted or suspended. */
export async function lockPerson(tx: Tx, userId: string): Promise<boolean> {
  const found = await tx
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.id, userId), isNull(users.suspendedAt)))
    .for('no key update')
  return found.length > 0
}

export async function findBadgeOf(tx: Tx, key: string) {
  const [found] = await tx
    .select({ id: badges.id, groupId: badges.groupId, slug: badges.slug })
    .from(achievements)
    .innerJoin(badges, eq(badges.slug, achievements.badgeSlug))
    .where(eq(achievements.key, key))
  return found
}

type Definition = Pick<AchievementRow, 'key' | 'targetValue'>

/** Increments and detects completion in one statement. Returns nothing if already complete. */
export const addOne = (tx: Tx, definition: Definition, userId: string, at: Date) =>
  raise(tx, definition, userId, at)

/** Increments only for a new value. */
export async function addValue(tx: Tx, definition: Definition, userId: string, value: string, at: Date) {
  const known = tx
    .select({ value: achievementValues.value })
    .from(achievementValues)
    .where(
      and(
        eq(achievementValues.userId, userId),
        eq(achievementValues.achievementKey, definition.key),
        eq(achievementValues.value, value),
      ),
    )
  const raised = await raise(tx, definition, userId, at, notExists(known))
  if (raised) await tx.insert(achievementValues).values({ userId, achievementKey: definition.key, value })
  return raised
}

async function raise(
  tx: Tx,
  { key, targetValue }: Definition,
  userId: string,
  at: Date,
  provided?: SQL,
): Promise<{ completedAt: Date | null } | undefined> {
  const next = sql`${achievementProgress.currentValue} + 1`
  const [row] = await tx
    .insert(achievementProgress)
    .values({ userId, achievementKey: key, currentValue: 1, completedAt: targetValue > 1 ? null : at })
    .onConflictDoUpdate({
      target: [achievementProgress.userId, achievementProgress.achievementKey],
      set: {
        currentValue: sql`least(${targetValue}, ${next})`,
        completedAt: sql`case when ${next} >= ${targetValue} then ${at.toISOString()}::timestamptz end`,
      },
      setWhere: and(isNull(achievementProgress.completedAt), provided),
    })
    .returning({ completedAt: achievementProgress.completedAt })
  return row
}

/** Completes the achievement for a batch of people who reached the target, by id; returns their ids. */
export async function completeReached(
  tx: Tx,
  { key, targetValue }: Definition,
  at: Date,
  limit: number,
): Promise<string[]> {
  const reached = await tx
    .select({ id: users.id })
    .from(users)
    .innerJoin(achievementProgress, eq(achievementProgress.userId, users.id))
    .where(
      and(
        eq(achievementProgress.achievementKey, key),
        isNull(users.suspendedAt),
        isNull(achievementProgress.completedAt),
        gte(achievementProgress.currentValue, targetValue),
      ),
    )
    .orderBy(users.id)
    .limit(limit)
    .for('no key update', { of: users })
  const ids = reached.map(({ id }) => id)
  if (ids.length === 0) return []
  await tx
    .update(achievementProgress)
    .set({ currentValue: targetValue, completedAt: at })
    .where(and(eq(achievementProgress.achievementKey, key), isOneOf(achievementProgress.userId, ids)))
  return ids
}
