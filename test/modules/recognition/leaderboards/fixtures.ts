import { expect } from 'bun:test'
import { sql } from 'drizzle-orm'
import { db } from '@/db/client'
import type { badges } from '@/db/tables/badges'
import { transaction } from '@/db/transaction'
import { award, revoke } from '@/modules/recognition/badges/award'
import { emit } from '@/outbox/emit'
import { del, get, patch } from '../../../support/api'
import { type MadeUser, makeCaller, makeBadge as makeRow, makeSession, makeUser } from '../../../support/make'

export type Badge = typeof badges.$inferSelect

/** A badge of the platform, or of a group that is named. */
export const makeBadge = (points: number, fields?: Parameters<typeof makeRow>[0]) =>
  makeRow({ points, ...fields })

export const give = (badge: Badge, userId: string) =>
  transaction((tx) => award(tx, badge, userId, badge.groupId ? 'group' : 'admin'))

export const take = (badge: Badge, userId: string) => transaction((tx) => revoke(tx, badge, userId))

/** What an administrator does. */
export const suspend = (userId: string) =>
  transaction(async (tx) => {
    await tx.execute(sql`update users set suspended_at = now() where id = ${userId}`)
    await emit(tx, 'user.suspended', { userId })
  })

export const leave = async ({ id, username }: MadeUser) =>
  del(`/v1/profile?confirm=${username ?? id}`, { session: await makeSession(id) })

/** Five people get a badge and go out of sight again, each in another way. `namesOn` reads who is on the board. */
export async function comeAndGo(badge: Badge, namesOn: () => Promise<string[]>) {
  const [opting, hiding] = [await makeCaller(), await makeCaller()]
  const [suspended, leaving, losing] = [await makeUser(), await makeUser(), await makeUser()]
  const people = [opting.user, hiding.user, suspended, leaving, losing]
  const there = async () => {
    const names = await namesOn()
    return people.map(({ username }) => Number(names.includes(username as string))).join('')
  }
  expect(await there()).toBe('00000')
  for (const { id } of people) await give(badge, id)
  expect(await there()).toBe('11111')
  await patch('/v1/profile', { token: opting.token, json: { showOnLeaderboard: false } })
  expect(await there()).toBe('01111')
  await patch('/v1/profile', { token: hiding.token, json: { profileVisibility: 'private' } })
  expect(await there()).toBe('00111')
  await suspend(suspended.id)
  expect(await there()).toBe('00011')
  await leave(leaving)
  expect(await there()).toBe('00001')
  await take(badge, losing.id)
  expect(await there()).toBe('00000')
  return { opting, hiding, there }
}

export type Entry = {
  rank: number
  username: string
  score: number
  badgeCount: number
  completedCount?: number
  badges: { slug: string }[]
}

/** Every page of a board, and what it says of its length. */
export async function wholeBoard(path: string, token: string, limit = 100) {
  const entries: Entry[] = []
  for (;;) {
    const { body } = await get(`${path}?limit=${limit}&offset=${entries.length}`, { token })
    entries.push(...body.data.entries)
    if (body.data.entries.length < limit) return { entries, total: body.data.total as number }
  }
}

/** The board as the rule says it, asked of the tables in the plainest way. */
export async function plainBoard() {
  const rows = await db.execute<{ username: string; xp: number }>(sql`
    select username, xp from users
    where profile_visibility = 'public' and suspended_at is null and username is not null
      and coalesce(show_on_leaderboard, true) and xp > 0
    order by xp desc, xp_reached_at, lower(username)`)
  return rows.map(({ username, xp }, i) => ({ rank: i + 1, username, score: xp }))
}

export const plain = (entries: Entry[]) =>
  entries.map(({ rank, username, score }) => ({ rank, username, score }))

/** Moves everything that a person's score is made of into the past. */
export async function backdate(userId: string, ms: number) {
  const back = sql`${ms} * interval '1 millisecond'`
  await db.execute(sql`update score_changes set at = at - ${back}, reached_before = reached_before - ${back}
    where user_id = ${userId}`)
  await db.execute(sql`update users set xp_reached_at = xp_reached_at - ${back} where id = ${userId}`)
  await db.execute(sql`update badge_awards set awarded_at = awarded_at - ${back} where user_id = ${userId}`)
}

/** Somebody who looks at boards. */
export const makeReader = () => makeCaller(['read:user', 'read:groups'])
