import { lt } from 'drizzle-orm'
import type { Db } from '@/db/client'
import { deleteInSlices } from '@/db/slices'
import { heartbeats } from '@/db/tables/outbox'

/** Writes down that a worker process is alive. */
export const recordHeartbeat = (db: Db, worker: string, at: Date) =>
  db.insert(heartbeats).values({ worker, at }).onConflictDoUpdate({ target: heartbeats.worker, set: { at } })

export const deleteOldHeartbeats = (db: Db, before: Date) =>
  deleteInSlices(db, heartbeats, { old: lt(heartbeats.at, before), by: [heartbeats.worker] })
