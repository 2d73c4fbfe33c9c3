import { nowMs } from '@/core/clock'
import { db } from '@/db/client'
import { storage } from '@/outbound/storage/current'
import { incomingName } from '../objects'
import type { UploadRow } from '../queries'
import { updateClaimed } from './queries'

const LATER_MS_MAX = 30_000

/**
 * A store that takes files itself does not say when one has come, so it is asked, ever more seldom until the address ends.
 * Gives the row once it is `received`.
 */
export async function hasArrived(upload: UploadRow): Promise<UploadRow | undefined> {
  if (upload.state === 'received') return upload
  const found = upload.incoming && (await storage.find(incomingName(upload.incoming)))
  if (found) {
    const received = await updateClaimed(db, upload, { state: 'received' })
    return received ? { ...upload, state: 'received' } : undefined
  }
  const isOver = upload.expiresAt.getTime() <= nowMs()
  const laterMs = Math.min(LATER_MS_MAX, 1000 * 2 ** Math.floor(upload.attempts / 4))
  await updateClaimed(db, upload, { nextCheckAt: isOver ? null : new Date(nowMs() + laterMs) })
  return undefined
}
