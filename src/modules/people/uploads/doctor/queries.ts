import { gt, sql } from 'drizzle-orm'
import type { Db } from '@/db/client'
import { uploads } from '@/db/tables/uploads'

const COLUMNS = {
  id: uploads.id,
  key: uploads.key,
  state: uploads.state,
  declaredSize: uploads.declaredSize,
  incoming: uploads.incoming,
  file: uploads.file,
  size: uploads.size,
  sha256: uploads.sha256,
  sizes: uploads.sizes,
}

export const listUploadsAfter = (db: Db, id: string, limit: number) =>
  db.select(COLUMNS).from(uploads).where(gt(uploads.id, id)).orderBy(uploads.id).limit(limit)

export type StoredUpload = Awaited<ReturnType<typeof listUploadsAfter>>[number]

export const findUploadsNaming = (db: Db, ids: string[]) =>
  db
    .select(COLUMNS)
    .from(uploads)
    .where(
      sql`${uploads.incoming} = any(${sql.param(ids)}::uuid[]) or ${uploads.file} = any(${sql.param(ids)}::uuid[])`,
    )
