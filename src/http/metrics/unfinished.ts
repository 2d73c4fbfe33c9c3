import { type Sample, sampled } from '@/core/metrics'
import type { Sweep } from '@/core/sweep'
import { db } from '@/db/client'
import { findLastBackup } from '@/db/last-backup'

/** Prometheus lines of the last backup; none without one. */
export async function backupLines(): Promise<string[]> {
  const at = await findLastBackup(db)
  if (at === null) return []
  return sampled(
    'gauge',
    'folkmoot_last_backup_timestamp_seconds',
    'When the last backup was made, since 1970.',
    at.getTime() / 1000,
  )
}

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
