import { ago, DAY_MS, now, nowMs } from '@/core/clock'
import { rateLimited } from '@/core/errors'
import { newId } from '@/core/ids'
import type { Tx } from '@/db/client'
import { enqueue } from '@/jobs/job'
import { exportJob } from './jobs'
import { A_DAY, EXPORT_MS, FAILED_MS } from './lifetime'
import { statusOf } from './present'
import {
  type AskedBy,
  countLately,
  findLastExport,
  insertExport,
  type KnownExport,
  lockExportsOf,
} from './queries'

/** The last export of whoever asks, or a new one where there is none that serves. */
export async function beginExport(tx: Tx, { userId, grantId }: AskedBy): Promise<KnownExport> {
  await lockExportsOf(tx, userId)
  const last = await findLastExport(tx, { userId, grantId })
  if (last && !hasFailed(last)) return last
  const most = grantId === null ? A_DAY.person : A_DAY.application
  if ((await countLately(tx, { userId, grantId })) >= most) {
    if (last) return last
    throw rateLimited(DAY_MS / 1000)
  }
  const id = newId()
  const jobId = await enqueue(tx, exportJob, userId, { exportId: id })
  const expiresAt = new Date(nowMs() + EXPORT_MS)
  await insertExport(tx, { id, userId, grantId, jobId, createdAt: now(), expiresAt })
  return (await findLastExport(tx, { userId, grantId })) as KnownExport
}

/** One that failed says so for a while: whoever asks every second does not begin one every second. */
const hasFailed = (known: KnownExport) =>
  statusOf(known) === 'failed' && known.made.createdAt < ago(FAILED_MS)
