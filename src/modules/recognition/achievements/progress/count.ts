import { now } from '@/core/clock'
import { actorOf, type DomainEvent } from '@/core/domain-events'
import type { Tx } from '@/db/client'
import type { Condition } from '@/db/tables/achievements'
import { award } from '@/modules/recognition/badges/award'
import { emit } from '@/outbox/emit'
import type { AchievementRow } from '../queries'
import { addOne, addValue, beginCounting, findBadgeOf, listOpen, lockBadges, lockPerson } from './queries'

export const matches = (conditions: readonly Condition[], data: unknown): boolean =>
  conditions.every((condition) => holds(condition, data))

/** Own properties only: inherited ones are no fields. */
const fieldOf = (data: unknown, field: string): unknown =>
  typeof data === 'object' && data !== null && Object.hasOwn(data, field)
    ? (data as Record<string, unknown>)[field]
    : undefined

function holds({ field, op, value }: Condition, data: unknown): boolean {
  const found = fieldOf(data, field)
  // A missing field satisfies only `neq`.
  if (found === undefined) return op === 'neq'
  switch (op) {
    case 'eq':
      return found === value
    case 'neq':
      return found !== value
    case 'in':
      return Array.isArray(value) && value.some((item) => item === found)
    case 'contains':
      return contains(found, value)
    case 'gt':
      return compare(found, value) > 0
    case 'gte':
      return compare(found, value) >= 0
    case 'lt':
      return compare(found, value) < 0
    case 'lte':
      return compare(found, value) <= 0
  }
}

const contains = (found: unknown, value: unknown): boolean =>
  Array.isArray(found)
    ? found.includes(value)
    : typeof found === 'string' && typeof value === 'string' && found.includes(value)

/** NaN if the types differ, which makes every comparison false. */
function compare(found: unknown, value: unknown): number {
  if (typeof found === 'number' && typeof value === 'number') return found - value
  if (typeof found === 'string' && typeof value === 'string')
    return found < value ? -1 : found > value ? 1 : 0
  return Number.NaN
}

/** Emits the unlock and awards the badge. */
export async function completeAchievement(tx: Tx, key: string, userId: string): Promise<void> {
  const badge = await findBadgeOf(tx, key)
  await emit(tx, 'achievement.unlocked', { key, userId, badgeSlug: badge?.slug ?? null })
  // A no-op if the person already holds the badge.
  if (badge) await award(tx, badge, userId, 'achievement')
}

export async function count(tx: Tx, event: DomainEvent): Promise<void> {
  const userId = actorOf(event)
  if (userId === undefined) return
  await beginCounting(tx, userId)
  const open = (await listOpen(tx, event.type, userId)).filter(({ definition }) =>
    matches(definition.conditions, event.data),
  )
  if (open.length === 0) return
  const near = open.filter(({ definition, currentValue }) => currentValue + 1 >= definition.targetValue)
  await lockBadges(
    tx,
    near.flatMap(({ definition }) => definition.badgeSlug ?? []),
  )
  if (!(await lockPerson(tx, userId))) return
  for (const { definition } of open)
    if (await completes(tx, definition, userId, event.data))
      await completeAchievement(tx, definition.key, userId)
}

async function completes(
  tx: Tx,
  definition: AchievementRow,
  userId: string,
  data: unknown,
): Promise<boolean> {
  if (definition.progressMode === 'counter') return isComplete(await addOne(tx, definition, userId, now()))
  const value = distinctKey(fieldOf(data, definition.progressField as string))
  return value !== undefined && isComplete(await addValue(tx, definition, userId, value, now()))
}

const isComplete = (raised: { completedAt: Date | null } | undefined) => Boolean(raised?.completedAt)

const VALUE_MAX = 500

/** The key of a distinct value; long texts are hashed to fit the index. */
function distinctKey(found: unknown): string | undefined {
  if (typeof found === 'number' || typeof found === 'boolean') return String(found)
  if (typeof found !== 'string') return undefined
  return found.length <= VALUE_MAX ? found : new Bun.CryptoHasher('sha256').update(found).digest('hex')
}
