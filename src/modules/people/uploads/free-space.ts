import { warnSparingly } from '@/core/log'
import { storage } from '@/outbound/storage/current'
import { explainStorage, storageFull } from './failures'

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
