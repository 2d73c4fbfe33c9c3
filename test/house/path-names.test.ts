import { describe, expect, test } from 'bun:test'
import { Kind, type TSchema } from '@sinclair/typebox'
import { newId } from '@/core/ids'
import { effectiveScopes, isScope, SCOPE_NAMES, type Scope } from '@/core/scopes'
import { type Answer, call } from '../support/api'
import {
  makeBadge,
  makeEvent,
  makeGroup,
  makeMember,
  makeSession,
  makeToken,
  makeUser,
} from '../support/make'
import { apiRoutes } from '../support/routes'
import { sampled } from '../support/sampling'

const implies = (held: Scope, wanted: Scope) => effectiveScopes([held], false).has(wanted)

const LONG = 'a'.repeat(300)

/** What cannot be an id. */
const NO_IDS = [
  'x',
  '0',
  'not-an-id',
  '01890000-0000-7000-8000-00000000000',
  '01890000-0000-7000-8000-0000000000000',
  '01890000000070008000000000000000',
  '{01890000-0000-7000-8000-000000000000}',
  '00000000-0000-0000-0000-000000000000',
  "1'%20or%20'1'='1",
]
/** What cannot be any name: too long, controls, no Unicode, marks without end, an escape that is none. */
const NO_NAMES = [
  LONG,
  '%00',
  'a%01b',
  'a%0Ab',
  '%7f',
  '%ff',
  '%ED%A0%80',
  '%zz',
  '%',
  `e${'%CC%81'.repeat(40)}`,
]

/** What a body has to hold, by the name of the field. */
const BODY: Record<string, unknown> = {
  kind: 'badges',
  paper: 'a4',
  title: 'Walk',
  startTime: '2031-05-01T18:30:00Z',
  startTimes: ['2031-05-01T18:30:00Z'],
  timezone: 'Europe/Berlin',
  role: 'volunteer',
  slug: 'a-slug-of-nobody',
  urlname: 'a-group-of-nobody',
  name: 'Name',
  icon: '🎈',
  key: 'group.create',
  eventTypes: ['*'],
  url: 'https://example.org/hook',
}

type Route = (typeof apiRoutes)[number]

const namesIn = (pattern: string) => [...pattern.matchAll(/:(\w+)/g)].map(([, name]) => name as string)
const schemaOf = ({ binding }: Route, name: string) =>
  binding?.action.input.properties[name] as TSchema | undefined
const isIdOf = (route: Route, name: string) => schemaOf(route, name)?.[Kind] === 'Id'

/** What a request has to hold beside its path: in the body, or in the query where there is none. */
function restOf(route: Route): { query: string; json?: Record<string, unknown> } {
  const { properties = {} as Record<string, TSchema>, required = [] } = route.binding?.action.input ?? {}
  const inPath = new Set(namesIn(route.pattern))
  const wanted = required.filter((name) => !inPath.has(name) && properties[name]?.default === undefined)
  const rest = Object.fromEntries(
    wanted.map((name) => [name, BODY[name] ?? (properties[name]?.[Kind] === 'Id' ? newId() : 'sample')]),
  )
  if (route.method === 'GET' || route.method === 'DELETE')
    return { query: `?${new URLSearchParams(rest as Record<string, string>)}` }
  return { query: '', json: rest }
}

/** What an answer says, whatever its request was called and however much it left. */
const said = ({ status, text, headers }: Answer) => [
  status,
  text,
  [...headers].filter(([name]) => !/^(x-request-id|date|x-ratelimit-(remaining|reset))$/.test(name)),
]

/** Things that are there, under the names that paths have for them. */
async function makeWorld() {
  const user = await makeUser({ role: 'admin' })
  const group = await makeGroup({}, user.id)
  const event = await makeEvent(group.id)
  const badge = await makeBadge({ groupId: group.id })
  const there: Record<string, string> = {
    groupId: group.id,
    eventId: event.id,
    badgeId: badge.id,
    userId: user.id,
    slug: group.urlname,
    username: user.username as string,
  }
  return { user, there, session: await makeSession(user.id) }
}

const pathOf = (route: Route, names: Record<string, string>) =>
  route.pattern.replace(/:(\w+)/g, (_, name) => names[name] as string)

const named = apiRoutes.filter(({ pattern }) => pattern.includes(':'))
/** It asks about a name that should not be there. */
const ASKS_WHETHER = '/v1/profile/check-username/:username'

describe('a malformed name in a path is answered like a missing object', () => {
  for (const route of named.filter(({ pattern }) => pattern !== ASKS_WHETHER))
    for (const name of namesIn(route.pattern))
      test(`${route.method} ${route.pattern}: ${name}`, async () => {
        const { there, session, user } = await makeWorld()
        const missing = isIdOf(route, name) ? newId() : 'nobody-of-that-name'
        const { query, json } = restOf(route)
        const at = (value: string) =>
          pathOf(route, {
            ...Object.fromEntries(namesIn(route.pattern).map((other) => [other, there[other] ?? newId()])),
            [name]: value,
          }) + query
        const access = route.binding?.action.access ?? 'none'
        const ways: [string, Parameters<typeof call>[2], number | undefined][] = [
          [
            'whole',
            { session, json },
            name === 'username' && /check-username/.test(route.pattern) ? 200 : 404,
          ],
          ['stranger', {}, access === 'public' || access === 'none' ? 404 : 401],
        ]
        if (isScope(access)) {
          const without = SCOPE_NAMES.filter((scope) => scope !== 'admin' && !implies(scope, access))
          const { token } = await makeToken(user.id, without)
          ways.push(['without the scope', { token }, 403])
        }
        if (json)
          ways.push([
            'without JSON',
            { session, body: '{', headers: { 'content-type': 'application/json' } },
            400,
          ])
        if (json && Object.keys(json).length > 0)
          ways.push(['without what it needs', { session, json: {} }, 400])
        for (const [way, options, status] of ways) {
          const absent = await call(route.method, at(missing), options)
          expect([way, absent.status, absent.text]).toEqual([way, status as number, expect.any(String)])
          const values = isIdOf(route, name) ? [...NO_IDS, ...NO_NAMES] : NO_NAMES
          for (const value of sampled(values, 4, `${route.pattern} ${way}`)) {
            const malformed = await call(route.method, at(value), options)
            expect([way, value, said(malformed)]).toEqual([way, value, said(absent)])
          }
        }
      })
})

test('a malformed username is not available', async () => {
  const { session } = await makeWorld()
  for (const value of NO_NAMES) {
    const { status, body } = await call('GET', ASKS_WHETHER.replace(':username', value), { session })
    expect([value, status, body.data?.available]).toEqual([value, 200, false])
  }
})

describe('ids are case-insensitive', () => {
  for (const route of named.filter((one) => one.method === 'GET'))
    if (namesIn(route.pattern).some((name) => isIdOf(route, name) || name === 'userId'))
      test(`${route.method} ${route.pattern}`, async () => {
        const { there, session } = await makeWorld()
        const shout = (names: Record<string, string>) =>
          Object.fromEntries(
            Object.entries(names).map(([name, value]) => [
              name,
              isIdOf(route, name) ? value.toUpperCase() : value,
            ]),
          )
        const plain = await call('GET', pathOf(route, there), { session })
        const loud = await call('GET', pathOf(route, shout(there)), { session })
        expect([loud.status, loud.text]).toEqual([plain.status, plain.text])
      })

  test('so a cursor works for any spelling of its list', async () => {
    const { there, session } = await makeWorld()
    await makeMember(there.groupId as string, (await makeUser()).id, 'volunteer')
    const page = (groupId: string, query: string) =>
      call('GET', `/v1/manage/groups/${groupId}/members?limit=1${query}`, { session })
    const first = await page(there.groupId as string, '')
    const next = `&cursor=${encodeURIComponent(first.body.pagination.nextCursor)}`
    const second = await page((there.groupId as string).toUpperCase(), next)
    expect([second.status, second.text]).toEqual([200, (await page(there.groupId as string, next)).text])
  })

  test('in bodies and for people, too', async () => {
    const { there, session } = await makeWorld()
    const other = await makeUser()
    const added = await call('POST', `/v1/manage/groups/${there.groupId?.toUpperCase()}/members`, {
      session,
      json: { userId: other.id.toUpperCase(), role: 'volunteer' },
    })
    expect([added.status, added.body.data?.userId]).toEqual([201, other.id])
    const changed = await call(
      'PATCH',
      `/v1/manage/groups/${there.groupId}/members/${added.body.data.id.toUpperCase()}`,
      { session, json: { role: 'manager' } },
    )
    expect([changed.status, changed.body.data?.role]).toEqual([200, 'manager'])
  })
})
