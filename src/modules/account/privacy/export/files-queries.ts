import { and, eq, gt, sql } from 'drizzle-orm'
import type { Db } from '@/db/client'
import { is } from '@/db/comparisons'
import { uploads } from '@/db/tables/uploads'

const isTheirs = (userId: string) => and(eq(uploads.ownerId, userId), is(uploads.state, 'ready'))

/** The person's next checked files. */
export const filesAfter = (db: Db, userId: string, after: string, limit: number) =>
  db
    .select({
      id: uploads.id,
      category: uploads.category,
      filename: uploads.filename,
      contentType: uploads.contentType,
      file: uploads.file,
      size: uploads.size,
      createdAt: uploads.createdAt,
    })
    .from(uploads)
    .where(and(isTheirs(userId), gt(uploads.id, after)))
    .orderBy(uploads.id)
    .limit(limit)

export type OwnFile = Awaited<ReturnType<typeof filesAfter>>[number]

/** Their number and total size. */
export async function weighFiles(db: Db, userId: string): Promise<{ files: number; bytes: number }> {
  const [found] = await db
    .select({
      files: sql<number>`count(*)::int`,
      bytes: sql<number>`coalesce(sum(${uploads.size}), 0)::float8`,
    })
    .from(uploads)
    .where(isTheirs(userId))
  return found ?? { files: 0, bytes: 0 }
}
