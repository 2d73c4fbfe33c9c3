import { AppError } from '@/core/errors'
import { warnSparingly } from '@/core/log'
import { reasonOf } from '@/core/reason'
import { refusals } from '@/core/refusals'
import { storage } from '@/outbound/storage/current'
import { StorageDown, StorageFull } from '@/outbound/storage/storage'

/** Leaves disk space to the database: a full disk would stop everything. */
export async function demandFreeSpace(bytes: number): Promise<void> {
  const free = await storage.freeBytes().catch(explainStorage)
  if (free === null || free >= bytes) return
  warnSparingly('uploads: not enough free space above STORAGE_KEEP_FREE', {
    where: storage.label,
    free,
    needed: bytes,
  })
  throw storageFull()
}

const RETRY = { 'retry-after': '60', 'cache-control': 'no-store' }

/** Most checks take less than a second; longer queues need no faster polling. */
export const POLL_AGAIN = { 'retry-after': '2' }

/** Final for jobs: a retry would find no more space. */
export const storageFull = () =>
  new AppError('unavailable', refusals.storageFull, RETRY, undefined, undefined, 'refused')

/** Converts storage failures to API errors; rethrows anything else. */
export function explainStorage(error: unknown): never {
  if (error instanceof StorageFull || error instanceof StorageDown)
    warnSparingly('uploads: the storage refuses', reasonOf(error))
  if (error instanceof StorageFull) throw storageFull()
  if (error instanceof StorageDown) throw new AppError('unavailable', refusals.filesAway, RETRY)
  throw error
}
