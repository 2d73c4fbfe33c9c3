import { randomBytes } from 'node:crypto'
import { AGENTS, measureAgents } from './agents'
import { pathOf } from './compare'
import { type Databases, openDatabases } from './databases'
import { DELIVERIES, measureBacklog, measureDeliveries } from './deliveries'
import { FEEDS, measureFeeds } from './feeds'
import { residentMegabytes, START, timeToReady } from './figures'
import { measureFlatness } from './flat'
import { measure, type Outcome, type Tools } from './group'
import { measureIsolation } from './isolation'
import { chooseGenerator } from './load/choose'
import { measurePages, PAGES } from './pages'
import { measurePassSheets, PASS_SHEETS } from './pass-sheets'
import { pinBench } from './pin'
import { measurePrinting, PRINTING } from './printing'
import { redisHits } from './redis-hits'
import { report } from './report'
import { type Row, rows } from './rows'
import type { Seed } from './seed'
import { sow } from './seed-process'
import { type Surroundings, startServer } from './server'
import { statementCounter } from './statements'
import { measureUploads, UPLOADS } from './uploads'
import { measureWrites } from './writes'

/**
 * Measures everything, or only what has a word in its name, and prints it. True when a row was answered wrongly,
 * which is no measurement at all.
 */
export async function run({ full, only }: { full: boolean; only?: string }): Promise<boolean> {
  pinBench()
  say('starting PostgreSQL and Redis')
  const databases = await openDatabases()
  const { folder, databaseUrl } = databases
  const secretKey = randomBytes(32).toString('hex')
  const surroundings = { folder, databaseUrl, secretKey }
  const seed = await sow(surroundings, { people: 100_000, events: 10_000 })
  const tools = {
    seed,
    generator: chooseGenerator(folder),
    statements: statementCounter(databaseUrl),
    folder,
  }
  const chosen = rows.filter((row) => (full || !row.full) && row.name.includes(only ?? ''))

  const whole = only === undefined
  const hasStart = START.includes(only ?? '')
  if (hasStart) say('starting the server a few times')
  const readyMs = hasStart ? await timeToReady(surroundings) : undefined
  const embedded = await measureEmbedded(chosen, surroundings, tools, whole)
  const redis = await measureRedis(chosen, databases, surroundings, tools)
  await tools.statements.close()
  const writes = await measureWrites(surroundings, say, only)
  const { redisUrl } = databases
  const hasDeliveries = redisUrl !== undefined && DELIVERIES.name.includes(only ?? '')
  const deliveries = hasDeliveries ? await measureDeliveries(surroundings, redisUrl, say) : undefined
  const backlog =
    hasDeliveries && full ? await measureBacklog(surroundings, redisUrl, seed.token, say) : undefined
  const isolation =
    hasDeliveries && full ? await measureIsolation(surroundings, redisUrl, seed.token, say) : undefined
  const uploads =
    UPLOADS.name.includes(only ?? '') && (full || only !== undefined)
      ? await measureUploads(surroundings, say)
      : undefined
  const printing =
    PRINTING.name.includes(only ?? '') && (full || only !== undefined)
      ? await measurePrinting(surroundings, say)
      : undefined
  const feeds =
    FEEDS.name.includes(only ?? '') && (full || only !== undefined)
      ? await measureFeeds(surroundings, say)
      : undefined
  const pages =
    PAGES.name.includes(only ?? '') && (full || only !== undefined)
      ? await measurePages(surroundings, tools.seed.eventId, say)
      : undefined
  const agents =
    AGENTS.name.includes(only ?? '') && (full || only !== undefined)
      ? await measureAgents(surroundings, seed.token, tools.generator, say)
      : undefined
  const passSheets =
    PASS_SHEETS.name.includes(only ?? '') && (full || only !== undefined)
      ? await measurePassSheets(say)
      : undefined
  const flat = full ? await measureFlatness(databaseUrl, folder, say, only) : []

  console.log(
    report({
      generator: tools.generator.name,
      rows: chosen,
      embedded,
      redis,
      readyMs,
      writes,
      deliveries,
      backlog,
      isolation,
      uploads,
      printing,
      feeds,
      pages,
      agents,
      passSheets,
      flat,
    }),
  )
  return [embedded.outcomes, redis?.outcomes].some((outcomes) => outcomes && hasFailure(outcomes))
}

async function measureEmbedded(chosen: Row[], surroundings: Surroundings, tools: Tools, whole: boolean) {
  const server = await startServer(surroundings)
  if (whole) say('filling the memory')
  const megabytes = whole ? await residentMegabytes(rows[0], server, tools.seed, tools.generator) : undefined
  say('rows, limits in the process')
  const outcomes = await measure(chosen.filter(isNoCrowd), server, tools)
  await server.stop()
  return {
    outcomes: new Map([...outcomes, ...(await measureCrowds(chosen, surroundings, tools))]),
    megabytes,
  }
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
  const outcomes = await measure(chosen.filter(isNoCrowd), server, tools)
  const hits = (await redisHits(redisUrl)) - before
  await server.stop()
  const crowds = await measureCrowds(chosen, { ...surroundings, redisUrl }, tools)
  return {
    outcomes: new Map([...outcomes, ...crowds]),
    counted: hits / countedRequests(outcomes, tools.seed),
  }
}

const isNoCrowd = ({ isCrowd = false }: Row) => !isCrowd

/** On a server of their own, which believes what a proxy says of addresses. */
async function measureCrowds(chosen: Row[], surroundings: Surroundings, tools: Tools) {
  const crowds = chosen.filter((row) => !isNoCrowd(row))
  if (crowds.length === 0) return new Map<Row, Outcome>()
  const server = await startServer(surroundings, { TRUSTED_PROXIES: '127.0.0.0/8' })
  const outcomes = await measure(crowds, server, tools)
  await server.stop()
  return outcomes
}

const hasFailure = (outcomes: Map<Row, Outcome>) =>
  [...outcomes.values()].some((outcome) => 'failed' in outcome)

/** Requests that were charged to an hourly budget: those of the API, without its files. Feeds, pages and widgets have none. */
const countedRequests = (outcomes: Map<Row, Outcome>, seed: Seed) =>
  [...outcomes]
    .filter(([row]) => /^\/v1\/(?!uploads\/file\/)/.test(pathOf(row, seed)))
    .reduce((total, [, outcome]) => total + ('failed' in outcome ? 0 : outcome.requests), 0)

/** Progress goes where it does not end up in the table. */
const say = (what: string) => console.error(`… ${what}`)
