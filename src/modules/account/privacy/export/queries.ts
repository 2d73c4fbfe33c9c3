import { and, desc, eq, gt, isNotNull, isNull, lte, or, type SQL, sql } from 'drizzle-orm'
import type { Caller } from '@/core/caller'
import { ago, DAY_MS, now } from '@/core/clock'
import { isId } from '@/core/ids'
import type { Db, Tx } from '@/db/client'
import { lockParent } from '@/db/quotas'
import { personalTokens, sessions } from '@/db/tables/credentials'
import { jobs } from '@/db/tables/jobs'
import { dataExports } from '@/db/tables/mails'
import { oauthAccessTokens, oauthGrants } from '@/db/tables/oauth'
import { users } from '@/db/tables/users'

export type ExportRow = typeof dataExports.$inferSelect

/** The requester: the person, or an application by its grant. */
export type AskedBy = { userId: string; grantId: string | null }

/** The state of an export's job; null if the job was purged. */
const job = { status: jobs.status, done: jobs.done, total: jobs.total, error: jobs.error }

const withJob = (db: Db | Tx) =>
  db
    .select({ made: dataExports, job })
    .from(dataExports)
    .leftJoin(jobs, eq(jobs.id, dataExports.jobId))
    .$dynamic()

export type KnownExport = Awaited<ReturnType<typeof withJob>>[number]

const isAskedBy = ({ userId, grantId }: AskedBy) =>
  and(eq(dataExports.userId, userId), sql`${dataExports.grantId} is not distinct from ${grantId}::uuid`)

const isThere = () => gt(dataExports.expiresAt, now())

/** The last requested export, if it still exists. */
export async function findLastExport(db: Db | Tx, asker: AskedBy): Promise<KnownExport | undefined> {
  const [found] = await withJob(db)
    .where(and(isAskedBy(asker), isThere()))
    .orderBy(desc(dataExports.createdAt), desc(dataExports.id))
    .limit(1)
  return found
}

export async function findExport(db: Db | Tx, id: string): Promise<ExportRow | undefined> {
  const [found] = await db
    .select()
    .from(dataExports)
    .where(and(eq(dataExports.id, id), isThere()))
  return found
}

/** Locks the person's row, so that concurrent requests see each other's exports. */
export const lockExportsOf = (tx: Tx, userId: string) => lockParent(tx, [users.id, userId])

export const countLately = (tx: Tx, asker: AskedBy) =>
  tx.$count(dataExports, and(isAskedBy(asker), gt(dataExports.createdAt, ago(DAY_MS))))

export const insertExport = (tx: Tx, row: typeof dataExports.$inferInsert) =>
  tx.insert(dataExports).values(row).execute()

/** Returns whether the export still needed a file: not if it ended or another run finished it. */
export async function finishExport(
  db: Db,
  id: string,
  made: { file: string; size: number; expiresAt: Date },
): Promise<boolean> {
  const updated = await db
    .update(dataExports)
    .set(made)
    .where(and(eq(dataExports.id, id), isNotNull(dataExports.userId), isNull(dataExports.file), isThere()))
    .returning({ id: dataExports.id })
  return updated.length > 0
}

/** Ends an export whose file is lost, so that another can begin. */
export const endExport = (db: Db, id: string) =>
  db.update(dataExports).set({ expiresAt: now() }).where(eq(dataExports.id, id)).execute()

type Kind = Caller['credential']['kind']

/** What must still exist for a credential's download address. */
const CREDENTIALS: Record<Exclude<Kind, 'operator'>, (id: string) => SQL> = {
  session: (id) =>
    sql`exists (select 1 from ${sessions} where ${sessions.id} = ${id} and ${gt(sessions.expiresAt, now())})`,
  token: (id) =>
    sql`exists (select 1 from ${personalTokens} where ${personalTokens.id} = ${id}
      and ${or(isNull(personalTokens.expiresAt), gt(personalTokens.expiresAt, now()))})`,
  oauth: (id) =>
    sql`exists (select 1 from ${oauthAccessTokens} where ${oauthAccessTokens.id} = ${id}
      and ${gt(oauthAccessTokens.expiresAt, now())})`,
}

type Signed = { exportId: string; by: string; kind: string; credential: string }

/** The file of an export, if its person is not suspended and the requesting credential still exists. */
export async function findFileFor(db: Db, { exportId, by, kind, credential }: Signed) {
  const isAlive = CREDENTIALS[kind as keyof typeof CREDENTIALS]
  if (!isAlive || ![exportId, by, credential].every(isId)) return undefined
  const [found] = await db
    .select({
      id: dataExports.id,
      file: dataExports.file,
      size: dataExports.size,
      createdAt: dataExports.createdAt,
    })
    .from(dataExports)
    .innerJoin(users, eq(users.id, dataExports.userId))
    .where(
      and(
        eq(dataExports.id, exportId),
        eq(dataExports.userId, by),
        isThere(),
        isNull(users.suspendedAt),
        isAlive(credential),
      ),
    )
  return found
}

const hasEnded = (at: Date): SQL | undefined =>
  or(
    isNull(dataExports.userId),
    lte(dataExports.expiresAt, at),
    sql`(${dataExports.grantId} is not null
      and not exists (select 1 from ${oauthGrants} where ${oauthGrants.id} = ${dataExports.grantId}))`,
  )

export const listEnded = (db: Db, after: string, at: Date, limit: number) =>
  db
    .select({ id: dataExports.id, file: dataExports.file })
    .from(dataExports)
    .where(and(hasEnded(at), gt(dataExports.id, after)))
    .orderBy(dataExports.id)
    .limit(limit)

/** Deletes the row unless a run has given it a file since: then the next sweep deletes the file first. */
export const deleteEnded = (db: Db, { id, file }: Pick<ExportRow, 'id' | 'file'>) =>
  db
    .delete(dataExports)
    .where(and(eq(dataExports.id, id), sql`${dataExports.file} is not distinct from ${file}::uuid`))
    .execute()

export const findExportFiles = (db: Db, ids: string[]) =>
  db
    .select({ file: dataExports.file })
    .from(dataExports)
    .where(sql`${dataExports.file} = any(${sql.param(ids)}::uuid[])`)
