import { warnSparingly } from '@/core/log'
import { sampled } from '@/core/metrics'
import { reasonOf } from '@/core/reason'
import { answers } from '@/db/pool/answers'

/** Prometheus lines from the database: the same in every process. */
export type DatabaseMetrics = () => Promise<string[]>

/** Cache time: bounds the queries, however often metrics are scraped. */
const KEEP_MS = 5000
/** The scraper's maximum wait for a slow database. */
const PATIENCE_MS = 1000
/** Maximum age of metrics shown for a slow database. */
const STALE_MS = 60_000

let looking: Promise<void> | undefined
/** Since when the database is silent; any answer to the process resets it. */
let lostAt = 0
let known: { lines: string[]; at: number } | undefined

/** The Prometheus text of database metrics; once stale, only whether the database serves. */
export async function sharedText(databaseMetrics: readonly DatabaseMetrics[]): Promise<string> {
  if (age() > KEEP_MS)
    looking ??= look(databaseMetrics).finally(() => {
      looking = undefined
    })
  if (looking) await Promise.race([looking, Bun.sleep(PATIENCE_MS)])
  const up = sampled(
    'gauge',
    'folkmoot_database_up',
    'Whether the database answers statements of this process.',
    Number(answers.lastAt > lostAt),
  )
  return `${[...up, ...(known && age() < STALE_MS ? known.lines : [])].join('\n')}\n`
}

const age = () => performance.now() - (known?.at ?? Number.NEGATIVE_INFINITY)

async function look(databaseMetrics: readonly DatabaseMetrics[]): Promise<void> {
  const startedAt = performance.now()
  try {
    const lines: string[] = []
    // Sequential, so that a scrape does not take the connections of requests.
    for (const read of databaseMetrics) lines.push(...(await read()))
    known = { lines, at: performance.now() }
  } catch (error) {
    const reason = reasonOf(error)
    // A busy pool, or one slow statement, is no outage.
    if (answers.lastAt < startedAt && reason.code !== 'POOL_BUSY') lostAt = performance.now()
    warnSparingly('metrics: what waits cannot be counted', reason)
  }
}
