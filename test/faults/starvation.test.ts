import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { SCOPE_NAMES } from '@/core/scopes'
import { call, post } from '../support/api'
import { ownDatabase, type ServerProcess, startServer } from '../support/processes'
import { giveToken, type Seeded, seedEvent, seedPeople } from '../support/seed'

const ROUND_MS = Number(process.env.STARVATION_ROUND_MS ?? 1000)
const BYSTANDERS = 4
const ATTACKERS = 60
const PLACES = 30
/** What a bystander may wait of the time beside the control, which may use every connection. What is left is the processor's. */
const FAIR = 2 / 3
/** Another release to measure. */
const TREE = process.env.STARVATION_TREE

type Figures = { answers: number; wrong: number; p50: number; p99: number }
type Send = (base: string, client: number, turn: number) => Promise<unknown>

async function prepare(count: number) {
  const databaseUrl = await ownDatabase()
  const everyScope = SCOPE_NAMES.filter((scope) => scope !== 'admin')
  const people = await seedPeople(databaseUrl, ATTACKERS + 2 * BYSTANDERS, [...everyScope])
  const servers: ServerProcess[] = await Promise.all(
    Array.from({ length: count }, () =>
      startServer(
        {
          DATABASE_URL: databaseUrl,
          TRUSTED_PROXIES: '127.0.0.1',
          RATE_LIMIT_USER_PER_HOUR: '1000000',
          RATE_LIMIT_ANONYMOUS_PER_HOUR: '1000000',
        },
        TREE,
      ),
    ),
  )
  const base = (servers[0] as ServerProcess).url
  /** A group with an event, a badge, a claim link and a check-in code. */
  const makePlace = async () => {
    const { groupId, eventId, urlname, owner } = await seedEvent(databaseUrl)
    const manager = await giveToken(databaseUrl, owner.id, [...everyScope])
    const made = async (path: string, json: object) => {
      const { status, body, text } = await post(path, { base, token: manager, json })
      if (status !== 201) throw new Error(`${path}: ${text}`)
      return body.data
    }
    const group = `/v1/manage/groups/${groupId}`
    const badge = await made(`${group}/badges`, { name: 'Badge', slug: urlname, icon: '🎈' })
    const link = await made(`${group}/badges/${badge.id}/claim-links`, { maxUses: 100_000 })
    const code = await made(`${group}/events/${eventId}/checkin-codes`, {})
    return {
      manager,
      event: `/v1/events/${eventId}/rsvp`,
      favorite: `/v1/favorites/${urlname}`,
      claim: `/v1/claim/${link.code}`,
      checkin: `/v1/checkin/${code.code}`,
      award: `${group}/badges/${badge.id}/award`,
    }
  }
  const places: Awaited<ReturnType<typeof makePlace>>[] = []
  for (let at = 0; at < PLACES; at += 5)
    places.push(...(await Promise.all(Array.from({ length: 5 }, makePlace))))
  return { people, servers, places }
}

type World = Awaited<ReturnType<typeof prepare>>
type Place = World['places'][number]

/** Requests of many clients. `who` and `where` choose the member and the place of a client. */
type Kind = {
  name: string
  clients: number
  send: (who: Seeded, where: Place, client: number, turn: number) => Call
  /** Whether one member sends all of them; otherwise each client is another member, and all go to one place. */
  byOne?: boolean
}
type Call = [method: string, path: string, options?: { token?: string; json?: object; address?: number }]

const toggle = (turn: number) => (turn % 2 === 0 ? 'POST' : 'DELETE')

const KINDS: Kind[] = [
  {
    name: 'profile',
    clients: 30,
    byOne: true,
    send: (_who, _where, _client, turn) => ['PATCH', '/v1/profile', { json: { bio: `Bio ${turn}` } }],
  },
  { name: 'RSVPs of an event', clients: 60, send: (_, { event }, _c, turn) => [toggle(turn), event] },
  {
    name: 'tokens',
    clients: 30,
    byOne: true,
    send: () => [
      'POST',
      '/v1/profile/tokens',
      { json: { name: 'x', scopes: ['read:user'], expiresInDays: 1 } },
    ],
  },
  {
    name: 'apps',
    clients: 30,
    byOne: true,
    send: () => [
      'POST',
      '/v1/developer/apps',
      { json: { name: 'x', redirectUris: ['https://x.example/back'] } },
    ],
  },
  {
    name: 'feed token',
    clients: 30,
    byOne: true,
    send: () => ['POST', '/v1/profile/feed-token/rotate', { json: {} }],
  },
  {
    name: 'favorites of a group',
    clients: 60,
    send: (_, { favorite }, _client, turn) => [toggle(turn), favorite],
  },
  { name: 'claim link', clients: 60, send: (_, { claim }) => ['POST', claim] },
  { name: 'check-in code', clients: 60, send: (_, { checkin }) => ['POST', checkin] },
  {
    name: 'awards of a badge',
    clients: 30,
    send: ({ id }, { award, manager }, _client, turn) => [toggle(turn), `${award}/${id}`, { token: manager }],
  },
  {
    name: 'searches by members',
    clients: 30,
    byOne: true,
    send: (_who, _where, client, turn) => ['GET', `/v1/users?search=se${client}x${turn}`],
  },
  {
    name: 'searches by addresses',
    clients: 30,
    byOne: true,
    send: ({ id }, _where, client, turn) => [
      'GET',
      `/groups?search=se${client}x${turn}`,
      { token: '', address: Number.parseInt(id.slice(-2), 16) },
    ],
  },
]

/** The requests of a kind: an attack by one member or at one place, or its control by different members at different places. */
const requestsOf =
  ({ people, places }: World, { byOne, send }: Kind, isAttack: boolean): Send =>
  (base, client, turn) => {
    const who = people[isAttack && byOne ? 0 : client % ATTACKERS] as Seeded
    const where = places[isAttack ? 0 : client % PLACES] as Place
    const [method, path, { token = who.token, json, address } = {}] = send(who, where, client, turn)
    return call(method, path, {
      base,
      ...(token && { token }),
      ...(json && { json }),
      ...(address !== undefined && { headers: { 'x-forwarded-for': `198.51.100.${address}` } }),
    })
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

    test('everybody else is answered, sooner than beside the same requests by different members at different places', async () => {
      const quiet = await beside(world, 0, async () => {})
      const rows: { name: string; attack: Figures; control: Figures }[] = []
      for (const kind of KINDS) {
        const control = await beside(world, kind.clients, requestsOf(world, kind, false))
        const attack = await beside(world, kind.clients, requestsOf(world, kind, true))
        rows.push({ name: `${kind.name}, ${kind.clients} clients`, attack, control })
      }
      const shown = ({ answers, wrong, p50, p99 }: Figures) =>
        `${answers}/${wrong}/${p50}/${p99}`.padStart(20)
      console.log(
        [
          `over ${count} processes: answers/wrong/p50/p99 of a bystander: ${shown(quiet)} alone`,
          `${'beside'.padEnd(40)}${'one caller or place'.padStart(20)}${'different ones'.padStart(20)}`,
          ...rows.map(({ name, attack, control }) => `${name.padEnd(40)}${shown(attack)}${shown(control)}`),
        ].join('\n'),
      )
      expect(rows.filter(({ attack }) => attack.wrong > 0).map(({ name }) => name)).toEqual([])
      const starved = rows.filter(({ attack, control }) => attack.p50 > FAIR * control.p50)
      expect(starved.map(({ name, attack, control }) => `${name}: ${attack.p50} of ${control.p50}`)).toEqual(
        [],
      )
    }, 180_000)
  },
)
