import { iso } from '@/core/shapes'
import { db } from '@/db/client'
import { isAnyStored, type UploadRow } from './queries'
import type { Upload } from './schema'

export const presentUpload = (row: UploadRow): Upload => ({
  key: row.key,
  category: row.category,
  filename: row.filename,
  contentType: row.contentType,
  size: row.size ?? row.declaredSize,
  createdAt: iso(row.createdAt),
})

/** An empty storage is accepted only if the database references no files. */
export const mayBeginStorage = async (): Promise<boolean> => !(await isAnyStored(db))
