import { sweeps } from '@/areas'
import { log } from '@/core/log'
import { reasonOf } from '@/core/reason'
import { schedule } from '@/core/schedule'
import type { Sweep } from '@/core/sweep'

/** Runs every sweep, one after the other. One that fails keeps the others from nothing. */
export async function runSweeps(all: readonly Sweep[] = sweeps): Promise<void> {
  for (const { name, run } of all)
    await run().catch((error: Error) => log.warn('sweep failed', { sweep: name, ...reasonOf(error) }))
}

export const SWEEP = schedule({ name: 'sweep', everyMs: 10 * 60_000, run: () => runSweeps() })
