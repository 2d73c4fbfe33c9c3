import { sampled } from '@/core/metrics'
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
