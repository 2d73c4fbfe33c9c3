import { type Sample, sampled } from '@/core/metrics'
import type { Sweep } from '@/core/sweep'

/** Unfinished work by the sweep that resumes it. */
export async function countUnfinished(sweeps: readonly Sweep[]): Promise<{ kind: string; count: number }[]> {
  const found = []
  for (const { name, resumes } of sweeps) if (resumes) found.push({ kind: name, count: await resumes() })
  return found
}

/** Prometheus lines of work in batches whose process may have died. Its marks carry no time: the alert rule measures how long. */
export const unfinishedLines = (sweeps: readonly Sweep[]) => async (): Promise<string[]> =>
  sampled(
    'gauge',
    'folkmoot_unfinished_work',
    'Work in batches that is in progress or waits to be resumed.',
    (await countUnfinished(sweeps)).map(({ kind, count }): Sample => [{ kind }, count]),
  )
