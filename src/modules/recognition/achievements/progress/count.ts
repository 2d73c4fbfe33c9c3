import { now } from '@/core/clock'
import { actorOf, type DomainEvent } from '@/core/domain-events'
import type { Tx } from '@/db/client'
import { award } from '@/modules/recognition/badges/award'
import { emit } from '@/outbox/emit'
import { fieldOf, matches } from '../conditions'
import type { AchievementRow } from '../queries'
import { addOne, addValue, beginCounting, findBadgeOf, listOpen, lockBadges, lockPerson } from './queries'

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
