import { and, eq, gt, isNotNull, lte, or, type SQL, sql } from 'drizzle-orm'
import { now } from '@/core/clock'
import type { Db } from '@/db/client'
import { passSheets } from '@/db/tables/pass-sheets'
import type { SheetRow } from '../queries'

const hasEnded = (at: Date): SQL | undefined =>
  or(
    sql`(${passSheets.eventId} is null or (${passSheets.jobId} is null and ${passSheets.file} is null))`,
    lte(passSheets.expiresAt, at),
  )

export const listEnded = (db: Db, after: string, at: Date, limit: number) =>
  db
    .select({ id: passSheets.id, file: passSheets.file })
    .from(passSheets)
    .where(and(hasEnded(at), gt(passSheets.id, after)))
    .orderBy(passSheets.id)
    .limit(limit)

/** Deletes the row unless a run has stored a file since it was read; the next sweep removes that file first. */
export const deleteEnded = (db: Db, { id, file }: Pick<SheetRow, 'id' | 'file'>) =>
  db
    .delete(passSheets)
    .where(and(eq(passSheets.id, id), sql`${passSheets.file} is not distinct from ${file}::uuid`))
    .execute()

export const findSheetFiles = (db: Db, ids: string[]) =>
  db
    .select({ file: passSheets.file })
    .from(passSheets)
    .where(sql`${passSheets.file} = any(${sql.param(ids)}::uuid[])`)

export const listReadyAfter = (db: Db, id: string, limit: number) =>
  db
    .select({ id: passSheets.id, file: passSheets.file, size: passSheets.size })
    .from(passSheets)
    .where(
      and(
        gt(passSheets.id, id),
        isNotNull(passSheets.file),
        isNotNull(passSheets.eventId),
        gt(passSheets.expiresAt, now()),
      ),
    )
    .orderBy(passSheets.id)
    .limit(limit)

export type ReadySheet = Awaited<ReturnType<typeof listReadyAfter>>[number]
