import { and, eq, gte, lte, type SQL, sql } from 'drizzle-orm'
import { isId } from '@/core/ids'
import type { Db, Tx } from '@/db/client'
import { type After, descending, type Rows } from '@/db/keyset'
import { filters } from '@/db/statement-names'
import { auditLog } from '@/db/tables/administration'
import { users } from '@/db/tables/users'

export type EntryRow = {
  entry: typeof auditLog.$inferSelect
  actor: string | null
  actorName: string | null
  targetName: string | null
}

/** The target's current name. Only people, groups and badges have one. */
const targetName = sql<string | null>`case ${auditLog.targetType}
  when 'user' then (select name from users target where target.id = ${auditLog.targetId}::uuid)
  when 'group' then (select name from groups target where target.id = ${auditLog.targetId}::uuid)
  when 'badge' then (select name from badges target where target.id = ${auditLog.targetId}::uuid)
end`

export const NEWEST_FIRST = descending<EntryRow>(
  [auditLog.at, ({ entry }) => entry.at],
  [auditLog.id, ({ entry }) => entry.id],
)

export type EntryFilter = { actor?: string; action?: string; from?: Date; to?: Date }

export const listEntries = (
  db: Db | Tx,
  { actor, action, from, to }: EntryFilter,
  after: After,
): Rows<EntryRow> =>
  db
    .select({ entry: auditLog, actor: users.username, actorName: users.name, targetName })
    .from(auditLog)
    .leftJoin(users, eq(users.id, auditLog.actorId))
    .where(
      and(
        filters(
          actor === undefined ? undefined : doneBy(actor),
          action === undefined ? undefined : eq(auditLog.action, action),
          from && gte(auditLog.at, from),
          to && lte(auditLog.at, to),
        ),
        after,
      ),
    )

/** An actor by username or id; the id also finds deleted people. */
const doneBy = (actor: string): SQL =>
  isId(actor)
    ? eq(auditLog.actorId, actor)
    : sql`${auditLog.actorId} = (select id from users named where lower(named.username) = ${actor.toLowerCase()})`
