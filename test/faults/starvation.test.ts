import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { SCOPE_NAMES } from '@/core/scopes'
import { call, post } from '../support/api'
import { ownDatabase, type ServerProcess, startServer } from '../support/processes'
import { giveToken, type Seeded, seedEvent, seedPeople } from '../support/seed'

const ROUND_MS = Number(process.env.STARVATION_ROUND_MS ?? 1500)
const BYSTANDERS = 4
const ATTACKERS = 60
/** Another release to measure. */
const TREE = process.env.STARVATION_TREE

type Figures = { answers: number; wrong: number; p50: number; p99: number }
type Send = (base: string, client: number, turn: number) => Promise<unknown>

async function prepare(count: number) {
  const databaseUrl = await ownDatabase()
  const everyScope = SCOPE_NAMES.filter((scope) => scope !== 'admin')
  const people = await seedPeople(databaseUrl, ATTACKERS + 2 * BYSTANDERS, [...everyScope])
  const { groupId, eventId, urlname, owner } = await seedEvent(databaseUrl)
  const servers: ServerProcess[] = await Promise.all(
    Array.from({ length: count }, () =>
      startServer(
        {
          DATABASE_URL: databaseUrl,
          RATE_LIMIT_USER_PER_HOUR: '1000000',
          RATE_LIMIT_ANONYMOUS_PER_HOUR: '1000000',
        },
        TREE,
      ),
    ),
  )
  const base = (servers[0] as ServerProcess).url
  const manager = await giveToken(databaseUrl, owner.id, [...everyScope])
  const made = async (path: string, json: object) => {
    const { status, body, text } = await post(path, { base, token: manager, json })
    if (status !== 201) throw new Error(`${path}: ${text}`)
    return body.data
  }
  const badge = await made(`/v1/manage/groups/${groupId}/badges`, {
    name: 'Badge',
    slug: 'badge',
    icon: '🎈',
  })
  const link = await made(`/v1/manage/groups/${groupId}/badges/${badge.id}/claim-links`, { maxUses: 100_000 })
  const code = await made(`/v1/manage/groups/${groupId}/events/${eventId}/checkin-codes`, {})
  return { people, servers, groupId, eventId, urlname, manager, badge, link, code }
}

type World = Awaited<ReturnType<typeof prepare>>

function attacksOn({ people, groupId, eventId, urlname, manager, badge, link, code }: World) {
  const [one, followed] = people as [Seeded, Seeded]
  const token = (client: number) => (people[client % ATTACKERS] as Seeded).token
  const toggle =
    (path: string): Send =>
    (base, client, turn) =>
      call(turn % 2 === 0 ? 'POST' : 'DELETE', path, { base, token: token(client) })
  const byOne =
    (method: string, path: string, json: (turn: number) => object = () => ({})): Send =>
    (base, _, turn) =>
      call(method, path, { base, token: one.token, json: json(turn) })
  const attacks: [name: string, clients: number, send: Send][] = [
    ['own profile', 30, byOne('PATCH', '/v1/profile', (turn) => ({ bio: `Bio ${turn}` }))],
    ['RSVPs of one event', 60, toggle(`/v1/events/${eventId}/rsvp`)],
    [
      'own tokens',
      30,
      byOne('POST', '/v1/profile/tokens', () => ({ name: 'x', scopes: ['read:user'], expiresInDays: 1 })),
    ],
    [
      'own apps',
      30,
      byOne('POST', '/v1/developer/apps', () => ({ name: 'x', redirectUris: ['https://x.example/back'] })),
    ],
    ['own feed token', 30, byOne('POST', '/v1/profile/feed-token/rotate')],
    ['own portfolio', 30, byOne('POST', '/v1/profile/portfolio', () => ({ title: 'x' }))],
    ['own preferences', 30, byOne('PATCH', '/v1/profile/notifications', () => ({}))],
    ['favorites of one group', 60, toggle(`/v1/favorites/${urlname}`)],
    ['followers of one person', 60, toggle(`/v1/users/${followed.username}/follow`)],
    ['one claim link', 60, (base, client) => post(`/v1/claim/${link.code}`, { base, token: token(client) })],
    [
      'one check-in code',
      60,
      (base, client) => post(`/v1/checkin/${code.code}`, { base, token: token(client) }),
    ],
    [
      'awards of one badge',
      30,
      (base, client, turn) =>
        call(
          turn % 2 === 0 ? 'POST' : 'DELETE',
          `/v1/manage/groups/${groupId}/badges/${badge.id}/award/${people[client]?.id}`,
          { base, token: manager },
        ),
    ],
    [
      'searches by one member',
      30,
      (base, client, turn) => call('GET', `/v1/users?search=se${client}x${turn}`, { base, token: one.token }),
    ],
    [
      'searches by one address',
      30,
      (base, client, turn) =>
        call('GET', `/groups?search=se${client}x${turn}`, {
          base,
          headers: { 'x-forwarded-for': '198.51.100.7' },
        }),
    ],
  ]
  const control: Send = (base, client, turn) =>
    call('PATCH', '/v1/profile', { base, token: token(client), json: { bio: `Bio ${turn}` } })
  return { attacks, control }
}

/** Lets bystanders read what no cache holds, while others send requests without a pause. */
async function beside({ servers, people }: World, clients: number, send: Send): Promise<Figures> {
  let isOver = false
  const baseOf = (client: number) => (servers[client % servers.length] as ServerProcess).url
  const attack = Array.from({ length: clients }, async (_, client) => {
    for (let turn = 0; !isOver; turn += 1) await send(baseOf(client), client, turn)
  })
  const tookMs: number[] = []
  let wrong = 0
  const endsAt = performance.now() + ROUND_MS
  await Promise.all(
    Array.from({ length: BYSTANDERS }, async (_, client) => {
      const { token } = people[ATTACKERS + client] as Seeded
      while (performance.now() < endsAt) {
        const began = performance.now()
        const { status } = await call('GET', '/v1/profile/tokens', { base: baseOf(client), token })
        tookMs.push(performance.now() - began)
        if (status !== 200) wrong += 1
      }
    }),
  )
  isOver = true
  await Promise.all(attack)
  tookMs.sort((a, b) => a - b)
  const at = (share: number) => Math.round(tookMs[Math.floor((tookMs.length - 1) * share)] as number)
  return { answers: tookMs.length, wrong, p50: at(0.5), p99: at(0.99) }
}

describe.each([1, 3])(
  'beside one caller or one row that many requests wait for, over %p processes',
  (count) => {
    let world: World
    beforeAll(async () => {
      world = await prepare(count)
    }, 60_000)
    afterAll(async () => {
      for (const server of world?.servers ?? []) await server.stop('SIGKILL')
    })

    test('everybody else is answered, twice as fast as beside a crowd of different callers', async () => {
      const { attacks, control } = attacksOn(world)
      const nothing = await beside(world, 0, control)
      const rows: [string, Figures][] = [['nobody', nothing]]
      const crowd: Figures[] = []
      for (const [name, clients, send] of [
        ['different members', 30, control],
        ['different members', 60, control],
        ...attacks,
      ] as typeof attacks) {
        const figures = await beside(world, clients, send)
        if (send === control) crowd.push(figures)
        else rows.push([`${name}, ${clients} clients`, figures])
      }
      console.log(
        [
          `over ${count} processes: a bystander beside`,
          ...[
            ...crowd.map((figures): [string, Figures] => ['a crowd of different members', figures]),
            ...rows,
          ].map(
            ([name, { answers, wrong, p50, p99 }]) =>
              `${name.padEnd(38)} ${String(answers).padStart(6)} answers ${String(wrong).padStart(4)} wrong  p50 ${p50} ms  p99 ${p99} ms`,
          ),
        ].join('\n'),
      )
      expect(rows.filter(([, { wrong }]) => wrong > 0).map(([name]) => name)).toEqual([])
      // A crowd may use every connection; one caller or one row must leave most of them to others.
      const most = Math.max(...crowd.map(({ p50 }) => p50)) / 2
      expect(
        rows.filter(([, { p50 }]) => p50 > most).map(([name, { p50 }]) => `${name}: ${p50} of ${most}`),
      ).toEqual([])
    }, 180_000)
  },
)
