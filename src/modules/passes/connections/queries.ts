import { and, eq, isNotNull, isNull, lt, or, type SQL, sql } from 'drizzle-orm'
import { unionAll } from 'drizzle-orm/pg-core'
import type { Db, Tx } from '@/db/client'
import { isOneOf } from '@/db/comparisons'
import { type After, descending, type Rows } from '@/db/keyset'
import { connections, passStrangers } from '@/db/tables/passes'
import { users } from '@/db/tables/users'
import { publicUsers } from '@/modules/people/users/queries'
import type { Direction } from './schema'

/** Suspended people appear in no list and no count until the suspension ends. */
const notSuspended = isNull(users.suspendedAt)

const theVisitor = eq(users.id, connections.visitorId)
const theOwner = eq(users.id, connections.ownerId)

/** Excludes anonymous visitors and suspended people. */
const visitorNotSuspended = sql`exists (select 1 from ${users} where ${theVisitor} and ${notSuspended})`
const ownerNotSuspended = sql`exists (select 1 from ${users} where ${theOwner} and ${notSuspended})`

const isStranger = isNull(connections.visitorId)

/** Connections that this side has not removed. */
const keptByOwner = (userId: string) =>
  and(eq(connections.ownerId, userId), isNull(connections.ownerRemovedAt))
const keptByVisitor = (userId: string) =>
  and(eq(connections.visitorId, userId), isNull(connections.visitorRemovedAt))

export type ConnectionRow = {
  id: string
  createdAt: Date
  direction: Direction
  strangerHash: Uint8Array | null
  personId: string | null
  name: string | null
  username: string | null
  avatarUrl: string | null
  isPublic: boolean | null
}

export const NEWEST_FIRST = descending<ConnectionRow>(
  [connections.createdAt, (row) => row.createdAt],
  [connections.id, (row) => row.id],
)

const entry = (direction: Direction) => ({
  id: connections.id,
  createdAt: connections.createdAt,
  direction: sql<Direction>`${sql.raw(`'${direction}'`)}::text`.as('direction'),
  strangerHash: connections.strangerHash,
  personId: sql<string | null>`${users.id}`.as('person_id'),
  name: users.name,
  username: users.username,
  avatarUrl: users.avatarUrl,
  isPublic: users.isPublic,
})

const inbound = (db: Db | Tx, userId: string, after: After) =>
  db
    .select(entry('inbound'))
    .from(connections)
    .leftJoin(users, theVisitor)
    .where(and(keptByOwner(userId), or(isStranger, notSuspended), after))

const outbound = (db: Db | Tx, userId: string, after: After) =>
  db
    .select(entry('outbound'))
    .from(connections)
    .innerJoin(users, theOwner)
    .where(and(keptByVisitor(userId), notSuspended, after))

export function listConnectionsOf(
  db: Db | Tx,
  userId: string,
  direction: Direction | undefined,
  after: After,
): Rows<ConnectionRow> {
  if (direction === 'inbound') return inbound(db, userId, after)
  if (direction === 'outbound') return outbound(db, userId, after)
  return {
    orderBy: (order) => ({
      limit: (rows) => ({ offset: (skipped) => merged(db, userId, after, order, rows, skipped) }),
    }),
  }
}

/** Public: people with public profiles, as long as neither side removed it. */
const shownToAll = and(publicUsers, isNull(connections.ownerRemovedAt), isNull(connections.visitorRemovedAt))

export const listShownConnectionsOf = (db: Db | Tx, userId: string, after: After) =>
  listConnectionsOf(db, userId, undefined, and(shownToAll, after))

const newestFirst = sql`${connections.createdAt} desc, ${connections.id} desc`

export const findRecentConnections = (
  db: Db | Tx,
  userId: string,
  most: number,
): PromiseLike<ConnectionRow[]> =>
  listShownConnectionsOf(db, userId, undefined).orderBy(newestFirst).limit(most).offset(0)

/**
 * Merges inbound and outbound connections. Each side is limited to the page size along its own index, so that the page costs the
 * same for someone with ten thousand connections. The union takes the table's name, which the order by clause refers to.
 */
function merged(db: Db | Tx, userId: string, after: After, order: SQL, rows: number, skipped: number) {
  const upTo = rows + skipped
  const both = unionAll(
    inbound(db, userId, after).orderBy(order).limit(upTo),
    outbound(db, userId, after).orderBy(order).limit(upTo),
  ).as('connections')
  return db.select().from(both).orderBy(order).limit(rows).offset(skipped)
}

type Pair = { ownerId: string; visitorId: string | null }
const pair = { ownerId: connections.ownerId, visitorId: connections.visitorId }

/** Returns undefined if the owner has no such connection. */
export async function removeForOwner(tx: Tx, userId: string, id: string): Promise<Pair | undefined> {
  const [removed] = await tx
    .update(connections)
    .set({ ownerRemovedAt: sql`now()` })
    .where(and(eq(connections.id, id), keptByOwner(userId), or(isStranger, visitorNotSuspended)))
    .returning(pair)
  return removed
}

/** Returns undefined if the visitor has no such connection. */
export async function removeForVisitor(tx: Tx, userId: string, id: string): Promise<Pair | undefined> {
  const [removed] = await tx
    .update(connections)
    .set({ visitorRemovedAt: sql`now()` })
    .where(and(eq(connections.id, id), keptByVisitor(userId), ownerNotSuspended))
    .returning(pair)
  return removed
}

/** A pair has one connection, so both directions can be added up. */
export async function countPeopleMet(db: Db | Tx, userId: string): Promise<number> {
  const [inbound, outbound] = [
    await db.$count(connections, and(keptByOwner(userId), visitorNotSuspended)),
    await db.$count(connections, and(keptByVisitor(userId), ownerNotSuspended)),
  ]
  return inbound + outbound
}

/** Excludes connections of previous owners. */
export const countPeopleMetBy = (db: Db | Tx, ownerId: string, passId: string): Promise<number> =>
  db.$count(connections, and(eq(connections.passId, passId), keptByOwner(ownerId), visitorNotSuspended))

/** Whether any connection counts in `countPeopleMet`. */
export const hasMetSomeone = (userId: string): SQL<boolean> => sql<boolean>`
  exists (select 1 from ${connections} where ${keptByOwner(userId)} and ${visitorNotSuspended})
  or exists (select 1 from ${connections} where ${keptByVisitor(userId)} and ${ownerNotSuspended})`

/** Locks the counters in id order. Always lock counters before records, to avoid deadlocks. */
export const lockStrangerCounts = (tx: Tx, passIds: string[]) =>
  tx
    .select()
    .from(passStrangers)
    .where(sql`${passStrangers.passId} = any(${sql.param(passIds)}::text[])`)
    .orderBy(passStrangers.passId)
    .for('update')

/** Decrements by how often each pass is listed. */
export const uncountStrangers = (tx: Tx, passIds: string[]) =>
  tx.execute(sql`
    update ${passStrangers} set kept = kept - gone.records
    from (select pass_id, count(*) as records from unnest(${sql.param(passIds)}::text[]) as lost (pass_id) group by pass_id) as gone
    where ${passStrangers.passId} = gone.pass_id`)

const isOld = (before: Date) => and(isNotNull(connections.strangerHash), lt(connections.createdAt, before))

type OldRecord = { id: string; passId: string | null }

export const listOldStrangers = (tx: Tx, before: Date, rows: number): Promise<OldRecord[]> =>
  tx
    .select({ id: connections.id, passId: connections.passId })
    .from(connections)
    .where(isOld(before))
    .orderBy(connections.createdAt, connections.id)
    .limit(rows)

/** Skips records that were adopted by an account in the meantime. */
export const deleteOldStrangers = (tx: Tx, before: Date, ids: string[]): Promise<OldRecord[]> =>
  tx
    .delete(connections)
    .where(and(isOneOf(connections.id, ids), isOld(before)))
    .returning({ id: connections.id, passId: connections.passId })
