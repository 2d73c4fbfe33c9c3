import type { Db } from './client'
import { installation } from './tables/installation'

/** Writes down that a backup of this moment is whole, so that an alert can tell when there has been none for long. */
export const recordBackup = (db: Db, at: Date) => db.update(installation).set({ backedUpAt: at }).execute()

/** Null where there never was one. */
export const findLastBackup = async (db: Db): Promise<Date | null> =>
  (await db.select({ at: installation.backedUpAt }).from(installation))[0]?.at ?? null
