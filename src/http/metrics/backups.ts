import { sampled } from '@/core/metrics'
import { db } from '@/db/client'
import { findLastBackup } from '@/db/last-backup'

/** The Prometheus lines of the last backup; where there was none, there is nothing to say of it. */
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
