import { warnSparingly } from '@/core/log'
import { sampled } from '@/core/metrics'
import { reasonOf } from '@/core/reason'

/** Lines of the Prometheus text that the database knows: the same in every process. */
export type Figures = () => Promise<string[]>

/** However often somebody looks, the database is asked this often at most. */
const KEEP_MS = 5000
/** Whoever collects figures waits no longer for a database that hangs. */
const PATIENCE_MS = 1000

let kept: { lines: Promise<string[]>; at: number } | undefined

/** The Prometheus text of what waits in the database; all but whether it answers is left out while it does not. */
export async function sharedText(figures: readonly Figures[]): Promise<string> {
  if (!kept || performance.now() - kept.at > KEEP_MS) kept = { lines: look(figures), at: performance.now() }
  const late = Bun.sleep(PATIENCE_MS).then(() => [])
  const lines = await Promise.race([kept.lines, late])
  const up = sampled(
    'gauge',
    'folkmoot_database_up',
    'Whether the database has just told how work stands.',
    Number(lines.length > 0),
  )
  return `${[...up, ...lines].join('\n')}\n`
}

async function look(figures: readonly Figures[]): Promise<string[]> {
  try {
    const lines: string[] = []
    // One after another: whoever looks must not take the connections of those who wait for an answer.
    for (const read of figures) lines.push(...(await read()))
    return lines
  } catch (error) {
    warnSparingly('metrics: what waits cannot be counted', reasonOf(error))
    return []
  }
}
