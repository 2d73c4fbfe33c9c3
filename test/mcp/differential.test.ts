import { describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import Ajv2020 from 'ajv/dist/2020'
import addFormats from 'ajv-formats'
import { gte } from 'drizzle-orm'
import { tools } from '@/areas'
import { now } from '@/core/clock'
import { SCOPE_NAMES, type Scope } from '@/core/scopes'
import { db } from '@/db/client'
import { auditLog } from '@/db/tables/administration'
import { badges, claimLinks } from '@/db/tables/badges'
import { checkinCodes, events, rsvps } from '@/db/tables/events'
import { groupMembers } from '@/db/tables/groups'
import { outbox } from '@/db/tables/outbox'
import { portfolioItems } from '@/db/tables/people'
import type { Tool } from '@/mcp/tool'
import { call, post } from '../support/api'
import { makeBadge, makeEvent, makeGroup, makeMember, makeToken, makeUser } from '../support/make'
import { sampled } from '../support/sampling'
import { inHours } from '../support/time'

/*
 * The same question through both doors, by everyone who may come: the same outcome, the same domain events, the same entries
 * in the audit log. Each door asks in a world of its own, made in the same way.
 */

type Operation = { method: string; path: string }
const document = JSON.parse(readFileSync(`${import.meta.dir}/../../docs/openapi.json`, 'utf8')) as {
  paths: Record<string, Record<string, { operationId?: string }>>
}
const operations = new Map<string, Operation>(
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { operationId }]) =>
      operationId ? [[operationId, { method: method.toUpperCase(), path }] as const] : [],
    ),
  ),
)

const EVERYTHING = SCOPE_NAMES.filter((scope) => scope !== 'admin')

/** A community with a person in every role. */
async function makeWorld() {
  const [owner, volunteer, stranger, suspended, other] = await Promise.all([
    makeUser(),
    makeUser(),
    makeUser(),
    makeUser({ suspendedAt: new Date() }),
    makeUser(),
  ])
  const admin = await makeUser({ role: 'admin' })
  const group = await makeGroup({}, owner.id)
  const member = await makeMember(group.id, volunteer.id, 'volunteer')
  const event = await makeEvent(group.id, { startTime: inHours(30), maxAttendees: 5 })
  const badge = await makeBadge({ groupId: group.id })
  const platform = await makeBadge()
  const people = { owner, volunteer, stranger, suspended, admin }
  const all = Object.fromEntries(
    await Promise.all(
      Object.entries(people).map(async ([name, { id }]) => [
        name,
        (await makeToken(id, name === 'admin' ? ['admin'] : EVERYTHING)).token,
      ]),
    ),
  ) as Record<keyof typeof people, string>
  const as = (token: string) => ({ token })
  const own = async (path: string, json: object) => (await post(path, { ...as(all.owner), json })).body.data
  const code = await own(`/v1/manage/groups/${group.id}/events/${event.id}/checkin-codes`, {})
  const link = await own(`/v1/manage/groups/${group.id}/badges/${badge.id}/claim-links`, {})
  await post(`/v1/manage/groups/${group.id}/badges/${badge.id}/award/${other.id}`, {
    ...as(all.owner),
    json: {},
  })
  const things = Object.fromEntries(
    await Promise.all(
      Object.entries(all).map(async ([name, token]) => {
        const item = (await post('/v1/profile/portfolio', { token, json: { title: 'A boat' } })).body.data?.id
        const { id } = people[name as keyof typeof people]
        const spare = (await makeToken(id, ['read:user'])).id
        const pass = (await call('GET', '/v1/meetpass/qr', { token })).body.data?.id
        return [name, { item, spare, pass }]
      }),
    ),
  ) as Record<string, { item?: string; spare: string; pass?: string }>
  return { all, people, group, member, event, badge, platform, code, link, other, things }
}

type World = Awaited<ReturnType<typeof makeWorld>>

const NOBODY = '00000000-0000-7000-8000-000000000000'

/** What each tool is asked, for whoever asks. Those that are not here take nothing. */
function argumentsOf(name: string, world: World, who: string): Record<string, unknown> {
  const { group, member, event, badge, platform, code, link, other, people, things } = world
  const own = things[who] ?? { item: NOBODY, spare: NOBODY, pass: NOBODY }
  const [groupId, eventId, badgeId] = [group.id, event.id, badge.id]
  const given: Record<string, Record<string, unknown>> = {
    events_list: { limit: 3, search: 'nothing like this' },
    events_get: { eventId },
    events_rsvp: { eventId },
    events_cancel_rsvp: { eventId },
    events_rsvp_status: { eventId },
    events_rsvp_summary: { eventId },
    events_checkin: { code: code.code },
    groups_list: { search: group.name },
    groups_get: { slug: group.urlname },
    favorites_add: { groupSlug: group.urlname },
    favorites_remove: { groupSlug: group.urlname },
    profile_update: { bio: 'I build boats.' },
    users_search: { search: other.username },
    users_get: { username: other.username },
    users_follow: { username: other.username },
    users_unfollow: { username: other.username },
    users_followers: { username: other.username },
    users_following: { username: other.username },
    portfolio_create: { title: 'Another boat' },
    portfolio_update: { id: own.item ?? NOBODY, title: 'Two boats' },
    portfolio_delete: { id: own.item ?? NOBODY },
    badges_get: { slug: platform.slug },
    claims_info: { code: link.code },
    claims_claim: { code: link.code },
    leaderboard_group: { slug: group.urlname },
    onboarding_dismiss: { stepKey: 'follow_user' },
    tokens_revoke: { id: own.spare },
    meetpass_update: { id: own.pass ?? NOBODY, label: 'Badge' },
    manage_groups_get: { groupId },
    manage_groups_update: { groupId, description: 'New words' },
    manage_members_list: { groupId },
    manage_members_add: { groupId, userId: people.stranger.id, role: 'volunteer' },
    manage_members_update: { groupId, memberId: member.id, role: 'manager' },
    manage_members_remove: { groupId, memberId: member.id },
    manage_events_list: { groupId },
    manage_events_get: { groupId, eventId },
    manage_events_create: {
      groupId,
      title: 'Open evening',
      startTime: inHours(90).toISOString(),
      timezone: 'Europe/Berlin',
    },
    manage_events_update: { groupId, eventId, title: 'Another title' },
    manage_events_cancel: { groupId, eventId, reason: 'Rain' },
    manage_attendees_list: { groupId, eventId },
    manage_checkin_codes_list: { groupId, eventId },
    manage_checkin_codes_create: { groupId, eventId, label: 'Door' },
    manage_badges_list: { groupId },
    manage_badges_create: {
      groupId,
      name: 'Speaker',
      slug: `speaker-${group.urlname}`.slice(0, 40),
      icon: '🎤',
      color: '#1f6f54',
      points: 5,
    },
    manage_badges_award: { groupId, badgeId, userId: people.stranger.id },
    manage_badges_revoke: { groupId, badgeId, userId: other.id },
    manage_claim_links_create: { groupId, badgeId },
    admin_users_list: { search: other.username },
    admin_users_update: { userId: other.id, suspended: true },
    admin_groups_update: { groupId, isFeatured: true },
    admin_badges_award: { badgeId: platform.id, userId: other.id },
    admin_claims_approve: { requestId: NOBODY },
    admin_claims_reject: { requestId: NOBODY },
  }
  return given[name] ?? {}
}

type Outcome = { code: string; keys: string[]; happened: string[]; audited: string[] }

/** What a call did, apart from the ids of its world. */
async function observed(act: () => Promise<{ code: string; body: unknown }>): Promise<Outcome> {
  // What came before has an earlier millisecond.
  await Bun.sleep(2)
  const before = now()
  const { code, body } = await act()
  const [happened, audited] = await Promise.all([
    db.select({ type: outbox.type }).from(outbox).where(gte(outbox.createdAt, before)).orderBy(outbox.id),
    db.select({ action: auditLog.action }).from(auditLog).where(gte(auditLog.at, before)),
  ])
  return {
    code,
    keys: keysOf(body),
    happened: happened.map(({ type }) => type),
    audited: audited.map(({ action }) => action),
  }
}

const keysOf = (body: unknown): string[] => {
  const { data } = (body ?? {}) as { data?: unknown }
  const one = Array.isArray(data) ? data[0] : data
  return typeof one === 'object' && one !== null ? Object.keys(one).sort() : []
}

async function byRoute(name: string, token: string | undefined, input: Record<string, unknown>) {
  const { method, path } = operations.get(actionOf(name)) as Operation
  const rest = { ...input }
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, key: string) => {
    const value = String(rest[key])
    delete rest[key]
    return encodeURIComponent(value)
  })
  const query =
    method === 'GET' || method === 'DELETE' ? `?${new URLSearchParams(rest as Record<string, string>)}` : ''
  const answer = await call(method, filled + query, {
    token,
    ...(query === '' && { json: rest }),
  })
  return { code: answer.status < 300 ? 'ok' : answer.body.code, body: answer.body }
}

const ajv = addFormats(new Ajv2020({ strict: true, strictTypes: false, validateFormats: true }))
const shapes = new Map(
  tools.map((tool) => {
    const { inputSchema, outputSchema } = tool.listed(true) as { inputSchema: object; outputSchema: object }
    return [tool.name, { takes: ajv.compile(inputSchema), gives: ajv.compile(outputSchema) }]
  }),
)

async function byTool(name: string, token: string | undefined, input: Record<string, unknown>) {
  const params = { name, arguments: input }
  const answer = await post('/mcp', {
    token,
    json: { jsonrpc: '2.0', id: 1, method: 'tools/call', params },
    headers: { 'mcp-protocol-version': '2025-11-25' },
  })
  if (answer.status !== 200) return { code: answer.body.code, body: null }
  const { content, structuredContent, isError } = answer.body.result
  const body = JSON.parse(content[0].text)
  const shape = shapes.get(name) as NonNullable<ReturnType<typeof shapes.get>>
  expect([name, shape.takes(input), shape.takes.errors]).toEqual([name, true, null])
  if (!isError) expect([name, shape.gives(structuredContent), shape.gives.errors]).toEqual([name, true, null])
  return { code: isError ? body.code : 'ok', body }
}

const actionOf = (name: string) => tools.find((tool) => tool.name === name)?.action.name as string

type Who = { name: string; token: (world: World) => string | undefined | Promise<string | undefined> }

const WHO: Who[] = [
  { name: 'nobody', token: () => undefined },
  ...(['owner', 'volunteer', 'stranger', 'suspended', 'admin'] as const).map((name) => ({
    name,
    token: (world: World) => world.all[name],
  })),
]

/** The same call again: a tool that says so changes nothing more by it, any other does. */
async function demandIdempotence(tool: Tool, act: () => Promise<{ code: string; body: unknown }>) {
  const { idempotentHint } = tool.listed().annotations as { idempotentHint: boolean }
  const before = await countRows()
  const { code } = await act()
  const grew = (await countRows()).some((rows, at) => rows !== before[at])
  expect([tool.name, code === 'ok' && grew]).toEqual([tool.name, !idempotentHint])
}

/** How much there is of what tools make. */
const countRows = () =>
  Promise.all(
    [portfolioItems, events, checkinCodes, claimLinks, badges, rsvps, groupMembers].map((table) =>
      db.$count(table),
    ),
  )

describe('a tool and its route', () => {
  const worlds = Promise.all([makeWorld(), makeWorld()])
  /** Tokens of a stranger with one scope each, in one world and in the other. */
  const scoped = worlds.then((both) =>
    Promise.all(
      EVERYTHING.map(async (scope) => {
        const [one, other] = await Promise.all(
          both.map(({ people }) => makeToken(people.stranger.id, [scope as Scope])),
        )
        return [scope, one?.token, other?.token] as const
      }),
    ),
  )
  // The route that a tool is compared with is the one of its action, whichever that is.
  test('have an action that no other tool has', () => {
    const actions = tools.map(({ action }) => action.name)
    expect(actions.filter((action, at) => actions.indexOf(action) !== at)).toEqual([])
  })

  test('agree on which actions read, delete or overwrite', () => {
    const methods = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE']
    const hints = tools.map(({ name, action, listed }) => {
      const { readOnlyHint, destructiveHint } = listed().annotations as Record<string, boolean>
      const method = methods.indexOf((operations.get(action.name) as Operation).method)
      const isDestructive = method > 1 || ['manage_events_cancel', 'admin_claims_reject'].includes(name)
      expect([name, readOnlyHint, destructiveHint]).toEqual([
        name,
        method === 0,
        method === 0 ? undefined : isDestructive,
      ])
      return destructiveHint
    })
    expect(new Set(hints)).toEqual(new Set([undefined, false, true]))
  })

  for (const tool of tools)
    test(tool.name, async () => {
      const { name, asksFirst, action } = tool
      const [one, other] = await worlds
      const confirmed = asksFirst ? { confirm: true } : {}
      let didIt: Who | undefined
      for (const who of WHO) {
        const route = await observed(async () =>
          byRoute(name, await who.token(one), argumentsOf(name, one, who.name)),
        )
        if (asksFirst && who.name !== 'nobody') {
          const preview = await observed(async () =>
            byTool(name, await who.token(other), argumentsOf(name, other, who.name)),
          )
          const { code, happened, audited } = preview
          expect([name, who.name, code, happened, audited]).toEqual([name, who.name, route.code, [], []])
        }
        const told = await observed(async () =>
          byTool(name, await who.token(other), { ...argumentsOf(name, other, who.name), ...confirmed }),
        )
        // The door for agents knows nobody without a credential, whatever the action says of strangers.
        if (who.name === 'nobody') expect([name, told.code]).toEqual([name, 'unauthorized'])
        else expect([name, who.name, told]).toEqual([name, who.name, route])
        if (action.reads) expect([name, told.happened]).toEqual([name, []])
        else if (told.code === 'ok') didIt = who
      }
      const again = didIt
      if (again)
        await demandIdempotence(tool, async () =>
          byTool(name, await again.token(other), { ...argumentsOf(name, other, again.name), ...confirmed }),
        )
      // With every scope but the one that it needs.
      const { access } = action
      if (!SCOPE_NAMES.includes(access as Scope) || access === 'admin') return
      for (const [scope, first, second] of sampled(await scoped, 5, name)) {
        const [route, tool] = [
          await byRoute(name, first, argumentsOf(name, one, 'stranger')),
          await byTool(name, second, { ...argumentsOf(name, other, 'stranger'), ...confirmed }),
        ]
        expect([name, scope, tool.code]).toEqual([name, scope, route.code])
      }
    })
})
