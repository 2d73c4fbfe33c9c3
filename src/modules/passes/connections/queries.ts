import { and, eq, isNotNull, isNull, lt, or, type SQL, sql } from 'drizzle-orm'
import { unionAll } from 'drizzle-orm/pg-core'
import type { Db, Tx } from '@/db/client'
import { isOneOf } from '@/db/comparisons'
import { type After, descending, type Rows } from '@/db/keyset'
import { connections, passStrangers } from '@/db/tables/passes'
import { users } from '@/db/tables/users'
import { publicUsers } from '@/modules/people/users/queries'
import type { Direction } from './schema'

/** Somebody suspended is in nobody's list and in no count; once that is over they are there again. */
const inSight = isNull(users.suspendedAt)

const theVisitor = eq(users.id, connections.visitorId)
const theOwner = eq(users.id, connections.ownerId)

/** The other side is a person, and in sight. */
const visitorInSight = sql`exists (select 1 from ${users} where ${theVisitor} and ${inSight})`
const ownerInSight = sql`exists (select 1 from ${users} where ${theOwner} and ${inSight})`

const isStranger = isNull(connections.visitorId)

/** What each side still has of its connections, whoever is on the other. */
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
    .where(and(keptByOwner(userId), or(isStranger, inSight), after))

const outbound = (db: Db | Tx, userId: string, after: After) =>
  db
    .select(entry('outbound'))
    .from(connections)
    .innerJoin(users, theOwner)
    .where(and(keptByVisitor(userId), inSight, after))

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

/** What anyone is shown: people whom strangers may know of, as long as both sides keep it. */
const shownToAll = and(publicUsers, isNull(connections.ownerRemovedAt), isNull(connections.visitorRemovedAt))

export const listShownConnectionsOf = (db: Db | Tx, userId: string, after: After) =>
  listConnectionsOf(db, userId, undefined, and(shownToAll, after))

const newestFirst = sql`${connections.createdAt} desc, ${connections.id} desc`

/** The newest of them. */
export const findRecentConnections = (
  db: Db | Tx,
  userId: string,
  most: number,
): PromiseLike<ConnectionRow[]> =>
  listShownConnectionsOf(db, userId, undefined).orderBy(newestFirst).limit(most).offset(0)

/**
 * Both sides as one list. Each is read along its own index no further than the page goes, so that the page does not cost
 * more for somebody who has met ten thousand people. The union has the name of the table, by which the order calls its columns.
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

/** Undefined when the owner sees no such connection. */
export async function removeForOwner(tx: Tx, userId: string, id: string): Promise<Pair | undefined> {
  const [removed] = await tx
    .update(connections)
    .set({ ownerRemovedAt: sql`now()` })
    .where(and(eq(connections.id, id), keptByOwner(userId), or(isStranger, visitorInSight)))
    .returning(pair)
  return removed
}

/** Undefined when the visitor sees no such connection. */
export async function removeForVisitor(tx: Tx, userId: string, id: string): Promise<Pair | undefined> {
  const [removed] = await tx
    .update(connections)
    .set({ visitorRemovedAt: sql`now()` })
    .where(and(eq(connections.id, id), keptByVisitor(userId), ownerInSight))
    .returning(pair)
  return removed
}

/** People whom somebody met, on either side. A pair has one connection, so nobody is counted twice. */
export async function countPeopleMet(db: Db | Tx, userId: string): Promise<number> {
  const [inbound, outbound] = [
    await db.$count(connections, and(keptByOwner(userId), visitorInSight)),
    await db.$count(connections, and(keptByVisitor(userId), ownerInSight)),
  ]
  return inbound + outbound
}

/** People whom its owner met by a pass; those of an owner before are not theirs. */
export const countPeopleMetBy = (db: Db | Tx, ownerId: string, passId: string): Promise<number> =>
  db.$count(connections, and(eq(connections.passId, passId), keptByOwner(ownerId), visitorInSight))

/** Whether somebody has met anyone, in the terms of the counts. */
export const hasMetSomeone = (userId: string): SQL<boolean> => sql<boolean>`
  exists (select 1 from ${connections} where ${keptByOwner(userId)} and ${visitorInSight})
  or exists (select 1 from ${connections} where ${keptByVisitor(userId)} and ${ownerInSight})`

/**
 * Locks the counts of strangers that passes keep, in one order. Whoever adds or removes records of strangers holds these
 * first, and then the records.
 */
export const lockStrangerCounts = (tx: Tx, passIds: string[]) =>
  tx
    .select()
    .from(passStrangers)
    .where(sql`${passStrangers.passId} = any(${sql.param(passIds)}::text[])`)
    .orderBy(passStrangers.passId)
    .for('update')

/** One less for each record that a pass has lost: a pass is named as often as that. */
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

/** Those of them that are still a stranger's. */
export const deleteOldStrangers = (tx: Tx, before: Date, ids: string[]): Promise<OldRecord[]> =>
  tx
    .delete(connections)
    .where(and(isOneOf(connections.id, ids), isOld(before)))
    .returning({ id: connections.id, passId: connections.passId })
