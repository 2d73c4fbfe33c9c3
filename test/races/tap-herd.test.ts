import { afterAll, beforeAll, expect, test } from 'bun:test'
import postgres from 'postgres'
import { ownDatabase, type ServerProcess, startServer } from '../support/processes'
import { freePort } from '../support/redis'
import { seedPeople } from '../support/seed'
import { type Holder, newVisitor, seedPasses, statementsSent, tap } from '../support/taps'
import { countStatuses } from '../support/three'

const TAPS = 5000
const PROCESSES = 2
const HERDS = 3

let servers: (ServerProcess & { metricsPort: string })[]
let holders: Holder[]
let sql: postgres.Sql
beforeAll(async () => {
  const databaseUrl = await ownDatabase()
  sql = postgres(databaseUrl, { max: 1, onnotice: () => {} })
  holders = await seedPasses(sql, await seedPeople(databaseUrl, HERDS + 1))
  servers = await Promise.all(
    Array.from({ length: PROCESSES }, async () => {
      const metricsPort = String(await freePort())
      const environment = {
        DATABASE_URL: databaseUrl,
        METRICS_PORT: metricsPort,
        TRUSTED_PROXIES: '127.0.0.1',
      }
      return { ...(await startServer(environment)), metricsPort }
    }),
  )
})
afterAll(async () => {
  for (const server of servers) await server.stop('SIGKILL')
  await sql.end()
})

const statements = () => Promise.all(servers.map(({ metricsPort }) => statementsSent(metricsPort)))

let herds = 0

/** Everyone in a hall at once, each from an address of their own, with the limit on. Gives the statements of each process. */
async function herd({ pass }: Holder, headers: () => Record<string, string>): Promise<number[]> {
  // Four herds from the same addresses within a second would be one too many.
  herds += 1
  const before = await statements()
  const answers = await Promise.all(
    Array.from({ length: TAPS }, (_, i) =>
      tap(servers[i % PROCESSES]?.url as string, pass, {
        'x-forwarded-for': `10.${herds}.${i >> 8}.${i & 255}`,
        ...headers(),
      }),
    ),
  )
  expect(countStatuses(answers.map(({ status }) => status))).toEqual({ 200: TAPS })
  const after = await statements()
  return after.map((count, i) => count - (before[i] as number))
}

test(`${TAPS} views of an uncached pass read it once per process`, async () => {
  const costs: number[][] = []
  for (const holder of holders.slice(0, HERDS))
    costs.push(await herd(holder, () => ({ 'user-agent': 'WhatsApp/2.23.20.0 A' })))
  // The least of several: a process also has things of its own to say.
  expect(servers.map((_, i) => Math.min(...costs.map((cost) => cost[i] as number)))).toEqual([1, 1])
})

test(`${TAPS} strangers who tap one pass are recorded by far fewer statements than taps`, async () => {
  const holder = holders[HERDS] as Holder
  const costs = await herd(holder, () => ({ cookie: newVisitor() }))
  expect(costs.reduce((sum, cost) => sum + cost)).toBeLessThan(TAPS / 5)
  console.log(`   ${TAPS} strangers: ${costs.join(' + ')} statements`)
  const [counted] = await sql`select kept,
    (select count(*)::int from connections where owner_id = ${holder.id}) as recorded from pass_strangers where pass_id = ${holder.pass}`
  expect(counted).toEqual({ kept: 1000, recorded: 1000 })
})
