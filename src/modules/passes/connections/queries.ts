import { and, eq, isNull, sql } from 'drizzle-orm'
import type { Db, Tx } from '@/db/client'
import { connections } from '@/db/tables/passes'
import { users } from '@/db/tables/users'

/** Somebody suspended is in nobody's list and in no count; once that is over they are there again. */
const inSight = isNull(users.suspendedAt)

/** People who tapped a pass of this person, as long as this person keeps the connection. */
const metInbound = (db: Db | Tx, userId: string) =>
  db
    .select({ one: sql`1` })
    .from(connections)
    .innerJoin(users, eq(users.id, connections.visitorId))
    .where(and(eq(connections.ownerId, userId), isNull(connections.ownerRemovedAt), inSight))

/** People whose pass this person tapped, likewise. */
const metOutbound = (db: Db | Tx, userId: string) =>
  db
    .select({ one: sql`1` })
    .from(connections)
    .innerJoin(users, eq(users.id, connections.ownerId))
    .where(and(eq(connections.visitorId, userId), isNull(connections.visitorRemovedAt), inSight))

/** People whom somebody met, on either side. A pair has one connection, so nobody is counted twice. */
export async function countPeopleMet(db: Db | Tx, userId: string): Promise<number> {
  const [counted] = await db.execute<{ people: number }>(
    sql`select ((select count(*) from (${metInbound(db, userId)}) as inbound)
      + (select count(*) from (${metOutbound(db, userId)}) as outbound))::int as people`,
  )
  return counted?.people ?? 0
}

/** People whom its owner met by a pass; those of an owner before are not theirs. */
export const countPeopleMetBy = (db: Db | Tx, ownerId: string, passId: string): Promise<number> =>
  db.$count(
    connections,
    sql`${connections.passId} = ${passId} and ${connections.ownerId} = ${ownerId} and ${connections.ownerRemovedAt} is null
      and exists (select 1 from ${users} where ${users.id} = ${connections.visitorId} and ${inSight})`,
  )
