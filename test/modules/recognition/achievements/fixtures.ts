import { and, eq, isNull } from 'drizzle-orm'
import { listeners } from '@/areas'
import { randomHex } from '@/core/codes'
import type { EventData, EventType } from '@/core/domain-events'
import { newId } from '@/core/ids'
import { db } from '@/db/client'
import { achievementProgress, achievements, achievementValues } from '@/db/tables/achievements'
import { badgeAwards, badges } from '@/db/tables/badges'
import { outbox, reactions } from '@/db/tables/outbox'
import { users } from '@/db/tables/users'
import { transaction } from '@/db/transaction'
import { emit } from '@/outbox/emit'
import { del, get, patch, post } from '../../../support/api'
import { drain } from '../../../support/drain'
import { type makeAdmin, makeCaller } from '../../../support/make'

export const ADMIN = '/v1/admin/achievements'

type Admin = Awaited<ReturnType<typeof makeAdmin>>

export const makePerson = () => makeCaller(['read:user'])

const made: { token: string; key: string }[] = []

/** Something to achieve that nobody else in the run knows; gone again after the test. */
export async function define({ token }: Admin, fields: Record<string, unknown> = {}) {
  const key = `test-${randomHex(6)}`
  const answer = await post(ADMIN, {
    token,
    json: { key, name: `Test ${key}`, targetValue: 2, eventType: 'token.revoked', ...fields },
  })
  if (answer.status !== 201) throw new Error(`not defined: ${answer.text}`)
  made.push({ token, key: answer.body.data.key })
  return answer.body.data as { key: string; targetValue: number }
}

export async function undefineAll() {
  for (const { token, key } of made.splice(0)) await del(`${ADMIN}/${key}`, { token })
}

export const change = ({ token }: Admin, key: string, json: Record<string, unknown>) =>
  patch(`${ADMIN}/${key}`, { token, json })

/** Writes down a domain event and gives its id. */
export async function happen<T extends EventType>(type: T, data: EventData<T>): Promise<string> {
  const nonce = randomHex(8)
  await transaction((tx) => emit(tx, type, { ...data, nonce } as EventData<T>))
  const rows = await db.select().from(outbox).where(eq(outbox.type, type))
  return rows.find(({ payload }) => (payload as { nonce?: string }).nonce === nonce)?.id as string
}

/** A domain event that costs nothing to make: a token is gone. */
export const revoke = (userId: string, tokenId = newId()) => happen('token.revoked', { userId, tokenId })

/** Lets every consequence take place, however many domain events other tests have left behind. */
export async function settle() {
  do await drain(listeners)
  while ((await db.$count(outbox, isNull(outbox.relayedAt))) > 0)
}

/** What a person sees of one achievement. */
export async function seen(token: string, key: string) {
  const { body } = await get('/v1/profile/achievements', { token })
  return body.data.find((item: { key: string }) => item.key === key)
}

export async function progress(userId: string, key: string) {
  const [row] = await db
    .select()
    .from(achievementProgress)
    .where(and(eq(achievementProgress.userId, userId), eq(achievementProgress.achievementKey, key)))
  return row
}

export const values = async (userId: string, key: string) =>
  (
    await db
      .select()
      .from(achievementValues)
      .where(and(eq(achievementValues.userId, userId), eq(achievementValues.achievementKey, key)))
  ).map(({ value }) => value)

export const awardsOf = (userId: string) =>
  db
    .select({ slug: badges.slug, source: badgeAwards.source })
    .from(badgeAwards)
    .innerJoin(badges, eq(badges.id, badgeAwards.badgeId))
    .where(eq(badgeAwards.userId, userId))

export const scoreOf = async (userId: string) =>
  (await db.select({ xp: users.xp }).from(users).where(eq(users.id, userId)))[0]?.xp

export const domainEventsOf = async (type: EventType, userId: string) =>
  (await db.select().from(outbox).where(eq(outbox.type, type)))
    .map(({ payload }) => payload as Record<string, unknown>)
    .filter((data) => data.userId === userId)

export const reactionsTo = (outboxId: string) =>
  db.select().from(reactions).where(eq(reactions.outboxId, outboxId))

export const definitionOf = async (key: string) =>
  (await db.select().from(achievements).where(eq(achievements.key, key)))[0]
