import { randomBytes } from 'node:crypto'
import { type Databases, openDatabases } from './databases'
import { residentMegabytes, timeToReady } from './figures'
import { measureFlatness } from './flat'
import { measure, type Outcome, type Tools } from './group'
import { chooseGenerator } from './load/generator'
import { pinBench } from './pin'
import { redisHits } from './redis-hits'
import { report } from './report'
import { type Row, rows } from './rows'
import { measureRsvps } from './rsvps'
import { sow } from './seed-process'
import { type Surroundings, startServer } from './server'
import { statementCounter } from './statements'

/** Measures everything and prints it. True when a row was answered wrongly, which is no measurement at all. */
export async function run({ full }: { full: boolean }): Promise<boolean> {
  pinBench()
  say('starting PostgreSQL and Redis')
  const databases = await openDatabases()
  const { folder, databaseUrl } = databases
  const secretKey = randomBytes(32).toString('hex')
  const surroundings = { folder, databaseUrl, secretKey }
  const seed = await sow(databaseUrl, secretKey, { people: 10_000, events: 10_000 })
  const tools = {
    seed,
    generator: chooseGenerator(folder),
    statements: statementCounter(databaseUrl),
    folder,
  }
  const chosen = rows.filter((row) => full || !row.full)

  say('starting the server a few times')
  const readyMs = await timeToReady(surroundings)
  const embedded = await measureEmbedded(chosen, surroundings, tools)
  const redis = await measureRedis(chosen, databases, surroundings, tools)
  await tools.statements.close()
  say('RSVPs against pgbench')
  const writes = await measureRsvps(surroundings, folder)
  const flat = full ? await measureFlatness(databaseUrl, folder, say) : []

  console.log(
    report({ generator: tools.generator.name, rows: chosen, embedded, redis, readyMs, writes, flat }),
  )
  return [embedded.outcomes, redis?.outcomes].some((outcomes) => outcomes && hasFailure(outcomes))
}

async function measureEmbedded(chosen: Row[], surroundings: Surroundings, tools: Tools) {
  const server = await startServer(surroundings)
  say('filling the memory')
  const megabytes = await residentMegabytes(rows[0], server, tools.seed, tools.generator)
  say('rows, limits in the process')
  const outcomes = await measure(chosen, server, tools)
  await server.stop()
  return { outcomes, megabytes }
}

async function measureRedis(
  chosen: Row[],
  { redisUrl }: Databases,
  surroundings: Surroundings,
  tools: Tools,
) {
  if (redisUrl === undefined) return undefined
  const server = await startServer({ ...surroundings, redisUrl })
  say('rows, limits in Redis')
  const before = await redisHits(redisUrl)
  const outcomes = await measure(chosen, server, tools)
  const hits = (await redisHits(redisUrl)) - before
  await server.stop()
  return { outcomes, counted: Math.min(1, hits / sum(outcomes)) }
}

const hasFailure = (outcomes: Map<Row, Outcome>) =>
  [...outcomes.values()].some((outcome) => 'failed' in outcome)

const sum = (outcomes: Map<Row, Outcome>) =>
  [...outcomes.values()].reduce((total, outcome) => total + ('failed' in outcome ? 0 : outcome.requests), 0)

/** Progress goes where it does not end up in the table. */
const say = (what: string) => console.error(`… ${what}`)
