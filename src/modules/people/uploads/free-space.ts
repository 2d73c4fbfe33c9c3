import { warnSparingly } from '@/core/log'
import { storage } from '@/outbound/storage/current'
import { explainStorage, storageFull } from './failures'

/** Leaves disk space to the database: a full disk would stop everything. */
export async function demandFreeSpace(bytes: number): Promise<void> {
  const room = await storage.freeBytes().catch(explainStorage)
  if (room === null || room >= bytes) return
  warnSparingly('uploads: no room, as STORAGE_KEEP_FREE leaves some of the disk to others', {
    where: storage.label,
    room,
    needed: bytes,
  })
  throw storageFull()
}
