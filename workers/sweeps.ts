import { sweeps } from '@/areas'
import { log } from '@/core/log'
import { reasonOf } from '@/core/reason'
import { type Sweep, schedule } from '@/core/sweep'
import { startLoop } from '@/delivery/engine'

/** Runs every sweep, one after the other. A failing sweep does not stop the others. */
export async function runSweeps(all: readonly Sweep[] = sweeps): Promise<void> {
  for (const { name, run } of all)
    await run().catch((error: Error) => log.warn('sweep failed', { sweep: name, ...reasonOf(error) }))
}

export const SWEEP = schedule({ name: 'sweep', everyMs: 10 * 60_000, run: () => runSweeps() })

/** A separate loop: resuming interrupted work must not queue behind long sweeps. */
export const startResuming = () =>
  startLoop({
    name: 'interrupted work',
    wakesOn: () => false,
    pollMs: 30_000,
    look: () => runSweeps(sweeps.filter(({ resumes }) => resumes)),
  })
