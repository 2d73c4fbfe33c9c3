import { now } from '@/core/clock'
import { sampled } from '@/core/metrics'
import { db } from '@/db/client'
import { findWaitingForCheck } from './check/queries'

/** The Prometheus lines of uploaded files. */
export async function uploadLines(): Promise<string[]> {
  const { waiting, oldestSeconds } = await findWaitingForCheck(db, now())
  return [
    ...sampled('gauge', 'folkmoot_uploads_waiting', 'Uploaded files that wait for their check.', waiting),
    ...sampled(
      'gauge',
      'folkmoot_uploads_oldest_seconds',
      'How long the oldest of them has waited.',
      oldestSeconds ?? 0,
    ),
  ]
}
