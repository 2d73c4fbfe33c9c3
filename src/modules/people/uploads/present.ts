import { iso } from '@/core/shapes'
import type { UploadRow } from './queries'
import type { Upload } from './schema'

export const presentUpload = (row: UploadRow): Upload => ({
  key: row.key,
  category: row.category,
  filename: row.filename,
  contentType: row.contentType,
  size: row.size ?? row.declaredSize,
  createdAt: iso(row.createdAt),
})
