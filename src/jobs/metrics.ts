import { warnSparingly } from '@/core/log'
import { reasonOf } from '@/core/reason'
import { readLongWork } from './long-work'

/** However often somebody looks, the database is asked this often at most. */
const KEEP_MS = 5000
/** Whoever collects figures waits no longer for a database that hangs. */
const PATIENCE_MS = 1000

const STATES = ['waiting', 'active', 'delayed', 'failed'] as const

let kept: { text: Promise<string>; at: number } | undefined

/**
 * The Prometheus text of long work, and of what else waits in the database: the same in every process, and left out while
 * the database cannot say it.
 */
export function longWorkText(others: () => Promise<string[]>): Promise<string> {
  if (!kept || performance.now() - kept.at > KEEP_MS) kept = { text: look(others), at: performance.now() }
  return Promise.race([kept.text, Bun.sleep(PATIENCE_MS).then(() => '')])
}

async function look(others: () => Promise<string[]>): Promise<string> {
  try {
    const [kinds, otherLines] = await Promise.all([readLongWork(), others()])
    return [
      '# HELP folkmoot_jobs Long work by kind and state.',
      '# TYPE folkmoot_jobs gauge',
      ...kinds.flatMap((figures) =>
        STATES.map((state) => `folkmoot_jobs{kind="${figures.name}",state="${state}"} ${figures[state]}`),
      ),
      '# HELP folkmoot_jobs_oldest_seconds How long the oldest job of a kind has waited.',
      '# TYPE folkmoot_jobs_oldest_seconds gauge',
      ...kinds.map(
        ({ name, oldestSeconds }) => `folkmoot_jobs_oldest_seconds{kind="${name}"} ${oldestSeconds ?? 0}`,
      ),
      ...otherLines,
      '',
    ].join('\n')
  } catch (error) {
    warnSparingly('metrics: long work cannot be counted', reasonOf(error))
    return ''
  }
}
