import type { Db } from './client'
import { installation } from './tables/administration'

/** Records a verified backup, so that an alert can fire when the last one is old. */
export const recordBackup = (db: Db, at: Date) => db.update(installation).set({ backedUpAt: at }).execute()

export const findLastBackup = async (db: Db): Promise<Date | null> =>
  (await db.select({ at: installation.backedUpAt }).from(installation))[0]?.at ?? null
