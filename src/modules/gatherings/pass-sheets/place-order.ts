import { DAY_MS, now, nowMs } from '@/core/clock'
import { newId } from '@/core/ids'
import type { Tx } from '@/db/client'
import { enqueue } from '@/jobs/job'
import { sheetJob } from './jobs'
import {
  demandQuotaForSheet,
  findQueuedTwin,
  findSheet,
  insertSheet,
  type KnownSheet,
  lockSheetsOf,
  type SheetOrder,
} from './queries'

/** How long the download link works. */
export const SHEET_MS = 7 * DAY_MS

/** Queues a sheet, or returns an identical one that is still queued. */
export async function placeOrder(
  tx: Tx,
  userId: string,
  eventId: string,
  order: SheetOrder,
): Promise<KnownSheet> {
  await lockSheetsOf(tx, eventId)
  const twin = await findQueuedTwin(tx, eventId, order)
  if (twin) return twin
  await demandQuotaForSheet(tx, eventId)
  const id = newId()
  const jobId = await enqueue(tx, sheetJob, userId, { sheetId: id })
  const expiresAt = new Date(nowMs() + SHEET_MS)
  await insertSheet(tx, { ...order, id, eventId, jobId, createdAt: now(), expiresAt })
  return (await findSheet(tx, id)) as KnownSheet
}
