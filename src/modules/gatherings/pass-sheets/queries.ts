import { and, eq, gt, isNotNull, isNull, or, sql } from 'drizzle-orm'
import { ago, DAY_MS, now } from '@/core/clock'
import { isId } from '@/core/ids'
import type { Db, Tx } from '@/db/client'
import { is } from '@/db/comparisons'
import { type After, descending } from '@/db/keyset'
import { demandQuota, lockParent } from '@/db/quotas'
import { checkinCodes, events, rsvps } from '@/db/tables/events'
import { groupMembers, groups } from '@/db/tables/groups'
import { jobs } from '@/db/tables/jobs'
import { passSheets } from '@/db/tables/pass-sheets'
import { users } from '@/db/tables/users'

export type SheetRow = typeof passSheets.$inferSelect
export type SheetOrder = Pick<SheetRow, 'kind' | 'paper' | 'startAt' | 'sort' | 'checkinCodeId'>

/** Null columns if the job was purged. */
const job = { status: jobs.status, done: jobs.done, total: jobs.total, error: jobs.error }

const sheetsWithJob = (db: Db | Tx) =>
  db
    .select({ sheet: passSheets, job })
    .from(passSheets)
    .leftJoin(jobs, eq(jobs.id, passSheets.jobId))
    .$dynamic()

export type KnownSheet = Awaited<ReturnType<typeof sheetsWithJob>>[number]

/** A failed sheet is listed as long as its job, which is a day. */
const isThere = () =>
  and(gt(passSheets.expiresAt, now()), or(isNotNull(passSheets.file), isNotNull(passSheets.jobId)))

export const NEWEST_SHEET_FIRST = descending<KnownSheet>(
  [passSheets.createdAt, ({ sheet }) => sheet.createdAt],
  [passSheets.id, ({ sheet }) => sheet.id],
)

export const listSheetsOf = (db: Db | Tx, eventId: string, after: After) =>
  sheetsWithJob(db).where(and(eq(passSheets.eventId, eventId), isThere(), after))

export const countSheetsOf = (db: Db | Tx, eventId: string) =>
  db.$count(passSheets, and(eq(passSheets.eventId, eventId), isThere()))

export async function findSheet(db: Db | Tx, id: string): Promise<KnownSheet | undefined> {
  const [found] = await sheetsWithJob(db).where(and(eq(passSheets.id, id), isThere()))
  return found
}

export async function findSheetOfGroup(
  db: Db | Tx,
  groupId: string,
  id: string,
): Promise<KnownSheet | undefined> {
  const [found] = await sheetsWithJob(db)
    .innerJoin(events, eq(events.id, passSheets.eventId))
    .where(and(eq(passSheets.id, id), eq(events.groupId, groupId), isThere()))
  return found
}

/** Serializes orders of an event, so that each sees the others' sheets. */
export const lockSheetsOf = (tx: Tx, eventId: string) => lockParent(tx, [events.id, eventId])

/** An identical order that is still queued. */
export async function findQueuedTwin(
  tx: Tx,
  eventId: string,
  { kind, paper, startAt, sort, checkinCodeId }: SheetOrder,
): Promise<KnownSheet | undefined> {
  const [found] = await sheetsWithJob(tx)
    .where(
      and(
        eq(passSheets.eventId, eventId),
        eq(passSheets.kind, kind),
        eq(passSheets.paper, paper),
        eq(passSheets.startAt, startAt),
        eq(passSheets.sort, sort),
        sql`${passSheets.checkinCodeId} is not distinct from ${checkinCodeId}::uuid`,
        is(jobs.status, 'queued'),
        isThere(),
      ),
    )
    .limit(1)
  return found
}

export const demandQuotaForSheet = (tx: Tx, eventId: string) =>
  demandQuota(tx, 'passSheets', {
    parent: [events.id, eventId],
    children: passSheets,
    which: and(eq(passSheets.eventId, eventId), gt(passSheets.createdAt, ago(DAY_MS))),
  })

export const insertSheet = (tx: Tx, row: typeof passSheets.$inferInsert) =>
  tx.insert(passSheets).values(row).execute()

export async function isCodeOf(db: Db | Tx, eventId: string, codeId: string): Promise<boolean> {
  const found = await db
    .select({ id: checkinCodes.id })
    .from(checkinCodes)
    .where(and(eq(checkinCodes.id, codeId), eq(checkinCodes.eventId, eventId)))
  return found.length > 0
}

/** The file of a sheet, if this person is on the group's staff now: signed links stop working when the role ends. */
export async function findFileFor(db: Db | Tx, id: string, userId: string) {
  if (!isId(id) || !isId(userId)) return undefined
  const [found] = await db
    .select({
      kind: passSheets.kind,
      file: passSheets.file,
      size: passSheets.size,
      title: events.title,
    })
    .from(passSheets)
    .innerJoin(events, eq(events.id, passSheets.eventId))
    .innerJoin(groups, eq(groups.id, events.groupId))
    .innerJoin(users, eq(users.id, userId))
    .leftJoin(groupMembers, and(eq(groupMembers.groupId, events.groupId), eq(groupMembers.userId, users.id)))
    .where(
      and(
        eq(passSheets.id, id),
        isThere(),
        isNull(users.suspendedAt),
        or(is(users.role, 'admin'), isNotNull(groupMembers.id)),
      ),
    )
  return found
}

/** Returns false if the sheet has ended or another run finished it. */
export async function finishSheet(
  db: Db | Tx,
  id: string,
  made: Pick<SheetRow, 'missing'> & { file: string; size: number; pages: number },
): Promise<boolean> {
  const updated = await db
    .update(passSheets)
    .set(made)
    .where(and(eq(passSheets.id, id), isNotNull(passSheets.eventId), isNull(passSheets.file)))
    .returning({ id: passSheets.id })
  return updated.length > 0
}

export const endSheetsNaming = (tx: Tx, userId: string) =>
  tx
    .update(passSheets)
    .set({ eventId: null })
    .where(
      sql`${passSheets.eventId} in (select ${rsvps.eventId} from ${rsvps} where ${rsvps.userId} = ${userId})`,
    )
    .execute()
