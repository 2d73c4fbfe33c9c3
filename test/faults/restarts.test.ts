import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import postgres from 'postgres'
import { startPostgres, type TestPostgres } from '../support/postgres'
import { until } from '../support/processes'
import { type Seeded, seedPeople } from '../support/seed'
import { startThree, type Three } from '../support/three'

const FAULTS = 50
const CALLERS = 16
const UNANSWERED = 0

const dataDir = mkdtempSync(join(tmpdir(), 'folkmoot-restarts-'))
let database: TestPostgres
let three: Three
let people: Seeded[]

beforeAll(async () => {
  database = await startPostgres(dataDir)
  people = await seedPeople(database.url, CALLERS + 1)
  // Fewer connections than callers, so that there is always somebody waiting for the next one.
  three = await startThree(database.url, { DATABASE_POOL: '4', RATE_LIMIT_REGISTER_PER_HOUR: '1000000' })
})

afterAll(async () => {
  await three.stop()
  await database.stop()
})

describe('PostgreSQL that is killed, frozen and restarted fifty times under load', () => {
  test('leaves three processes whole: no 500, no warning, every acknowledged write there', async () => {
    const seed = Number(process.env.SEED ?? Date.now() % 1_000_000)
    console.log(`restarts: SEED=${seed}`)
    const random = generator(seed)
    const callers = Array.from({ length: CALLERS }, (_, index) => startCaller(index))
    const probe = caller(CALLERS)
    for (let fault = 0; fault < FAULTS; fault += 1) {
      await breakOnce(random)
      await until('somebody is served again', async () => (await probe.change()) === 200, 30_000)
    }
    const during = await Promise.all(callers.map((running) => running.stop()))
    const gone = await lost(during)
    const afterwards = await loadWithoutFault()

    const statuses = Object.keys(tally(during.flatMap(({ statuses }) => statuses))).map(Number)
    expect(statuses.filter((status) => ![200, 201, 503].includes(status))).toEqual([])
    expect(
      Object.keys(tally(afterwards))
        .map(Number)
        .filter((status) => status >= 400),
    ).toEqual([])
    expect(during.flatMap(({ clients }) => clients).length).toBeGreaterThan(FAULTS)
    expect(gone).toEqual([])
    expect(warnings()).toEqual([])
    for (const server of three.servers) expect((await fetch(`${server.url}/readyz`)).status).toBe(200)
    const counts = (all: number[]) => JSON.stringify(tally(all))
    console.log(`restarts: ${counts(during.flatMap(({ statuses }) => statuses))}, then ${counts(afterwards)}`)
  })
})

/** One caller: a transaction, a single statement and a read in turn, at one of the three servers. */
function caller(index: number) {
  const person = people[index] as Seeded
  const base = three.servers[index % 3]?.url
  const statuses: number[] = []
  const clients: string[] = []
  const acknowledged: number[] = []
  let count = 0
  const ask = async (method: string, path: string, json?: unknown) => {
    const response = await fetch(`${base}${path}`, {
      method,
      headers: { authorization: `Bearer ${person.token}`, 'content-type': 'application/json' },
      signal: AbortSignal.timeout(20_000),
      ...(json !== undefined && { body: JSON.stringify(json) }),
    }).catch(() => undefined)
    const text = await response?.text()
    const status = response?.status ?? UNANSWERED
    if (status === UNANSWERED || status === 503) await Bun.sleep(20)
    statuses.push(status)
    return { status, body: response?.ok ? JSON.parse(text as string) : undefined }
  }
  return {
    person,
    statuses,
    clients,
    acknowledged,
    async change() {
      count += 1
      const { status } = await ask('PATCH', '/v1/profile', { bio: String(count) })
      if (status === 200) acknowledged.push(count)
      return status
    },
    async round() {
      await this.change()
      const { status, body } = await ask('POST', '/oauth/register', {
        client_name: `${person.username} ${count}`,
        redirect_uris: ['https://app.example/back'],
      })
      if (status === 201) clients.push(body.client_id)
      await ask('GET', '/v1/profile/tokens?limit=5')
    },
  }
}
type Caller = ReturnType<typeof caller>

function startCaller(index: number) {
  const one = caller(index)
  let isStopped = false
  const running = (async () => {
    while (!isStopped) await one.round()
  })()
  return {
    async stop() {
      isStopped = true
      await running
      return one
    },
  }
}

async function loadWithoutFault(): Promise<number[]> {
  const all = await Promise.all(
    Array.from({ length: CALLERS }, async (_, index) => {
      const one = caller(index)
      for (let round = 0; round < 40; round += 1) await one.round()
      return one.statuses
    }),
  )
  return all.flat()
}

async function breakOnce(random: () => number) {
  await Bun.sleep(50 + random() * 300)
  const kind = Math.floor(random() * 5)
  if (kind === 0) await database.restart('SIGKILL')
  else if (kind === 1) await database.restart('SIGINT')
  else if (kind === 2) await database.restart('SIGQUIT')
  else if (kind === 3) await database.freeze(200 + random() * 3500)
  else await cutConnections()
}

async function cutConnections() {
  const sql = postgres(database.url, { max: 1, onnotice: () => {} })
  await sql`select pg_terminate_backend(pid) from pg_stat_activity
    where application_name like 'folkmoot%' and random() < 0.7`
  await sql.end()
}

/** What was acknowledged and is not there: clients, the newest bio, the domain event of each change. */
async function lost(callers: Caller[]): Promise<string[]> {
  const sql = postgres(database.url, { max: 1, onnotice: () => {} })
  const registered = new Set(
    (await sql`select client_id from oauth_clients`).map(({ client_id }) => client_id),
  )
  const gone = callers.flatMap(({ clients }) => clients.filter((id) => !registered.has(id)))
  for (const { person, acknowledged } of callers) {
    const [row] = await sql`select bio::int from users where id = ${person.id}`
    if (row?.bio < Number(acknowledged.at(-1))) gone.push(`bio of ${person.username}`)
    const [told] = await sql`select count(*)::int as events from outbox
      where type = 'user.updated' and payload::text like ${`%${person.id}%`}`
    if (told?.events < acknowledged.length) gone.push(`events of ${person.username}`)
  }
  await sql.end()
  return gone
}

const warnings = () =>
  readFileSync(database.logFile, 'utf8')
    .split('\n')
    .filter((line) => /\bWARNING:|startup packet|PANIC:/.test(line))
    // PostgreSQL says so when one of its own processes was killed with the others.
    .filter((line) => !line.includes('terminating connection because of crash of another server process'))

const tally = (statuses: number[]) =>
  Object.fromEntries(
    [...Map.groupBy(statuses, (status) => status)].map(([status, all]) => [status, all.length]),
  )

function generator(seed: number) {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}
