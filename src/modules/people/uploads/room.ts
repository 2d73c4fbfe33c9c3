import { storage } from '@/outbound/storage/current'
import { explainStorage, storageFull } from './failures'

/** Uploads leave some of the disk to the database: a full one would stop everything. */
export async function demandRoomInStorage(bytes: number): Promise<void> {
  const room = await storage.room().catch(explainStorage)
  if (room !== null && room < bytes) throw storageFull()
}
