import { warnSparingly } from '@/core/log'
import { sampled } from '@/core/metrics'
import { reasonOf } from '@/core/reason'
import { answers } from '@/db/pool/answers'

/** Lines of the Prometheus text that the database knows: the same in every process. */
export type Figures = () => Promise<string[]>

/** However often somebody looks, the database is asked this often at most. */
const KEEP_MS = 5000
/** Whoever collects figures waits no longer for a database that is slow. */
const PATIENCE_MS = 1000
/** Figures of a slow database are shown for so long; older ones say nothing of now. */
const STALE_MS = 60_000

let looking: Promise<void> | undefined
/** Since when nothing was heard of the database; any answer to the process ends it. */
let lostAt = 0
let known: { lines: string[]; at: number } | undefined

/** The Prometheus text of what waits in the database; all but whether it serves is left out once it is unknown. */
export async function sharedText(figures: readonly Figures[]): Promise<string> {
  if (age() > KEEP_MS)
    looking ??= look(figures).finally(() => {
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

async function look(figures: readonly Figures[]): Promise<void> {
  const startedAt = performance.now()
  try {
    const lines: string[] = []
    // One after another: whoever looks must not take the connections of those who wait for an answer.
    for (const read of figures) lines.push(...(await read()))
    known = { lines, at: performance.now() }
  } catch (error) {
    const reason = reasonOf(error)
    // Connections that are all in use, or one slow statement, do not mean that the database is away.
    if (answers.lastAt < startedAt && reason.code !== 'POOL_BUSY') lostAt = performance.now()
    warnSparingly('metrics: what waits cannot be counted', reason)
  }
}
