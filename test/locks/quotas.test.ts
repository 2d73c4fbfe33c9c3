import { describe, expect, test } from 'bun:test'
import { eq, sql } from 'drizzle-orm'
import { config } from '@/config/config'
import { randomHex } from '@/core/codes'
import { newId } from '@/core/ids'
import { db } from '@/db/client'
import type { Quota } from '@/db/quotas'
import { portfolioItems } from '@/db/tables/people'
import { newPassId } from '@/modules/passes/passes/id'
import { patch, post } from '../support/api'
import { makeBadge, makeCaller, makeEvent, makeGroup } from '../support/make'
import { countStatuses } from '../support/three'
import { inHours } from '../support/time'

const SCOPES = [
  'user',
  'write:portfolio',
  'developer',
  'manage:groups',
  'manage:events',
  'manage:checkins',
  'manage:badges',
  'write:uploads',
  'write:meetpass',
] as const

async function makeOwner() {
  const { user, token } = await makeCaller([...SCOPES])
  const group = await makeGroup({}, user.id)
  const event = await makeEvent(group.id)
  const badge = await makeBadge({ groupId: group.id })
  return { userId: user.id, token, groupId: group.id, eventId: event.id, badgeId: badge.id }
}
type Owner = Awaited<ReturnType<typeof makeOwner>>

type Case = {
  /** How many the owner has to begin with. */
  has: number
  /** Adds so many, without asking. */
  fill: (owner: Owner, count: number) => string
  path: (owner: Owner) => string
  json: () => object
  says: RegExp
  /** The status of success; 201 unless nothing is created. */
  status?: number
}

/** Blank tags to claim. */
const blank: string[] = []

/** The same order twice would be one sheet. */
let labels = 0
const anotherSheet = () => ({ kind: 'stickers', paper: 'avery-l7160', startAt: (labels++ % 21) + 1 })

/** Subscriptions to feeds belong to nobody: test/modules/gatherings/feeds/websub/limits.test.ts. */
const CASES: Record<
  Exclude<Quota, 'subscriptions' | 'subscriptionsPerHost' | 'filteredSubscriptionsPerHost'>,
  Case
> = {
  groups: {
    has: 1,
    fill: ({ userId }, count) => `with made as (
        insert into groups (id, urlname, name) select uuidv7(), 'q-' || md5('${userId}' || n), 'x' from generate_series(1, ${count}) n returning id
      ) insert into group_members (id, group_id, user_id, role) select uuidv7(), id, '${userId}', 'owner' from made`,
    path: () => '/v1/manage/groups',
    json: () => ({ urlname: `q-${randomHex(6)}`, name: 'One more' }),
    says: /^You own 50 groups already/,
  },
  events: {
    has: 1,
    fill: (
      { groupId },
      count,
    ) => `insert into events (id, group_id, title, timezone, status, start_time, over_at)
      select uuidv7(), '${groupId}', 'x', 'UTC', case when n % 2 = 0 then 'draft' else 'published' end,
        now() + interval '1 day', now() + interval '1 day' + interval '3 hours' from generate_series(1, ${count}) n`,
    path: ({ groupId }) => `/v1/manage/groups/${groupId}/events`,
    json: () => ({ title: 'One more', startTime: inHours(5).toISOString(), timezone: 'UTC' }),
    says: /^This group has 1000 drafts and upcoming events already/,
  },
  portfolioItems: {
    has: 0,
    fill: ({ userId }, count) =>
      `insert into portfolio_items (id, user_id, title) select uuidv7(), '${userId}', 'x' from generate_series(1, ${count})`,
    path: () => '/v1/profile/portfolio',
    json: () => ({ title: 'One more' }),
    says: /^You have 100 portfolio items already/,
  },
  tokens: {
    has: 1,
    fill: ({ userId }, count) => `insert into personal_tokens (id, user_id, name, hash, prefix, scopes)
      select uuidv7(), '${userId}', 'x', sha256(('${userId}' || n)::bytea), 'x', '{user}' from generate_series(1, ${count}) n`,
    path: () => '/v1/profile/tokens',
    json: () => ({ name: 'One more', scopes: ['user'] }),
    says: /^You have 100 tokens already/,
  },
  apps: {
    has: 0,
    fill: (
      { userId },
      count,
    ) => `insert into oauth_clients (client_id, owner_id, name, redirect_uris, auth_method)
      select 'q-' || md5('${userId}' || n), '${userId}', 'x', '{https://x.example}', 'none' from generate_series(1, ${count}) n`,
    path: () => '/v1/developer/apps',
    json: () => ({ name: 'One more', redirectUris: ['https://x.example/back'] }),
    says: /^You have 50 applications already/,
  },
  webhooks: {
    has: 0,
    fill: ({ userId }, count) => `insert into webhooks (id, owner_id, url, event_types, scopes, secret)
      select uuidv7(), '${userId}', 'https://x.example', '{*}', '{}', '' from generate_series(1, ${count})`,
    path: () => '/v1/developer/webhooks',
    json: () => ({ url: 'http://127.0.0.1:9/hook' }),
    says: /^You have 20 webhooks already/,
  },
  checkinCodes: {
    has: 0,
    fill: ({ eventId }, count) => `insert into checkin_codes (id, event_id, code)
      select uuidv7(), '${eventId}', 'Q' || md5('${eventId}' || n) from generate_series(1, ${count}) n`,
    path: ({ groupId, eventId }) => `/v1/manage/groups/${groupId}/events/${eventId}/checkin-codes`,
    json: () => ({ label: 'One more' }),
    says: /^This event has 200 check-in codes already/,
  },
  guests: {
    has: 0,
    fill: ({ eventId }, count) => `insert into guests (id, event_id, name)
      select uuidv7(), '${eventId}', 'x' from generate_series(1, ${count}) n`,
    path: ({ groupId, eventId }) => `/v1/manage/groups/${groupId}/events/${eventId}/guests`,
    json: () => ({ name: 'One more' }),
    says: /^This event has 5000 guests without an account already/,
  },
  claimLinks: {
    has: 0,
    fill: ({ badgeId }, count) => `insert into claim_links (id, badge_id, code)
      select uuidv7(), '${badgeId}', 'q' || md5('${badgeId}' || n) from generate_series(1, ${count}) n`,
    path: ({ groupId, badgeId }) => `/v1/manage/groups/${groupId}/badges/${badgeId}/claim-links`,
    json: () => ({}),
    says: /^This badge has 200 claim links already/,
  },
  // The QR pass has a place, whether or not it was asked for yet.
  passes: {
    has: 1,
    fill: ({ userId }, count) => {
      blank.push(...Array.from({ length: 10 }, newPassId))
      const owned = Array.from({ length: count }, () => `('${newPassId()}', 'nfc', '${userId}')`)
      return `insert into passes (id, type, owner_id) values ${[...owned, ...blank.map((id) => `('${id}', 'nfc', null)`)]}`
    },
    path: () => `/v1/meetpass/${blank.pop()}/claim`,
    json: () => ({}),
    says: /^You have 20 passes already, your QR pass included: release a tag first/,
    status: 200,
  },
  passSheets: {
    has: 0,
    fill: (
      { eventId },
      count,
    ) => `insert into pass_sheets (id, event_id, file, size, pages, kind, paper, start_at, sort,
      created_at, expires_at) select uuidv7(), '${eventId}', uuidv7(), 1, 1, 'badges', 'a4', 1, 'name',
      now(), now() + interval '1 day' from generate_series(1, ${count})`,
    path: ({ groupId, eventId }) => `/v1/manage/groups/${groupId}/events/${eventId}/pass-sheets`,
    json: anotherSheet,
    says: /^This event had 30 print sheets in the last day already/,
  },
  jobs: {
    has: 0,
    fill: ({ userId }, count) => `insert into jobs (id, kind, owner_id, input, next_attempt_at, created_at)
      select uuidv7(), 'x', '${userId}', '{}', now(), now() from generate_series(1, ${count})`,
    path: ({ groupId, eventId }) => `/v1/manage/groups/${groupId}/events/${eventId}/pass-sheets`,
    json: anotherSheet,
    says: /^You have begun 50 jobs in the last day already/,
  },
  uploadedFiles: {
    has: 0,
    fill: ({ userId }, count) => readyUploads(userId, `1, null from generate_series(1, ${count})`),
    path: () => '/v1/uploads/request',
    json: () => ({ category: 'avatar', filename: 'x.png', contentType: 'image/png', size: 1 }),
    says: /^You may have 500 files: delete some first/,
  },
  uploadedBytes: {
    has: 0,
    fill: ({ userId }, count) => readyUploads(userId, `${count}, null`),
    path: () => '/v1/uploads/request',
    json: () => ({ category: 'avatar', filename: 'x.png', contentType: 'image/png', size: 1 }),
    says: /^Your files may take 1 GiB together: delete some first/,
  },
}

const readyUploads = (
  userId: string,
  sizes: string,
) => `insert into uploads (id, key, owner_id, maker, category,
    filename, content_type, declared_size, state, file, sha256, expires_at, created_at, changed_at, size, width)
  select uuidv7(), uuidv7()::text, '${userId}', 'person', 'avatar', 'x', 'image/png', 1, 'ready', uuidv7(), 'x',
    now(), now(), now(), ${sizes}`

describe('of some things there are only so many, however fast people ask', () => {
  for (const [quota, { has, fill, path, json, says, status: made = 201 }] of Object.entries(CASES) as [
    Quota,
    Case,
  ][])
    test(`${quota}: two places are left, and ten ask for them`, async () => {
      const owner = await makeOwner()
      const room = 2
      await db.execute(sql.raw(fill(owner, config.quotas[quota] - has - room)))
      const { token } = owner
      const answers = await Promise.all(
        Array.from({ length: 10 }, () => post(path(owner), { token, json: json() })),
      )
      expect(countStatuses(answers.map(({ status }) => status))).toEqual({ [made]: room, 409: 10 - room })
      for (const { body } of answers.filter(({ status }) => status === 409))
        expect(body).toEqual({ code: 'conflict', error: expect.stringMatching(says) })
    })

  test('control: counting first, without holding the parent, lets too many in', async () => {
    const owner = await makeOwner()
    await db.execute(sql.raw(CASES.portfolioItems.fill(owner, config.quotas.portfolioItems - 1)))
    let counted = 0
    const everyoneCounted = Promise.withResolvers<void>()
    const own = eq(portfolioItems.userId, owner.userId)
    const careless = () =>
      db.transaction(async (tx) => {
        const room = (await tx.$count(portfolioItems, own)) < config.quotas.portfolioItems
        counted += 1
        if (counted === 4) everyoneCounted.resolve()
        await everyoneCounted.promise
        if (room) await tx.insert(portfolioItems).values({ id: newId(), userId: owner.userId, title: 'x' })
      })
    await Promise.all([1, 2, 3, 4].map(careless))
    expect(await db.$count(portfolioItems, own)).toBe(config.quotas.portfolioItems + 3)
  })
})

test('copies of an event need room for all of them, and an event that is over takes none until it is moved', async () => {
  const owner = await makeOwner()
  const { token, groupId, eventId } = owner
  const past = await makeEvent(groupId, { startTime: inHours(-100), endTime: inHours(-99) })
  await db.execute(sql.raw(CASES.events.fill(owner, config.quotas.events - 3)))
  const copy = (count: number) =>
    post(`/v1/manage/groups/${groupId}/events/${eventId}/duplicate`, {
      token,
      json: { startTimes: Array.from({ length: count }, (_, i) => inHours(24 + i).toISOString()) },
    })
  expect((await copy(3)).status).toBe(409)
  expect((await copy(2)).status).toBe(201)
  const move = () =>
    patch(`/v1/manage/groups/${groupId}/events/${past.id}`, {
      token,
      json: { startTime: inHours(24).toISOString(), endTime: inHours(25).toISOString() },
    })
  expect((await move()).status).toBe(409)
  expect(
    (await patch(`/v1/manage/groups/${groupId}/events/${past.id}`, { token, json: { title: 'x' } })).status,
  ).toBe(200)
  await db.execute(
    sql`update events set status = 'cancelled' where group_id = ${groupId} and status = 'published' and id <> ${past.id}`,
  )
  expect((await move()).status).toBe(200)
})
