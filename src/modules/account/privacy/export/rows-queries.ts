import { and, eq, getTableColumns, getTableName, or, type SQL, sql } from 'drizzle-orm'
import { getTableConfig, type PgColumn, type PgTable } from 'drizzle-orm/pg-core'
import type { Db } from '@/db/client'
import { achievementProgress, achievements, achievementValues } from '@/db/tables/achievements'
import { badges } from '@/db/tables/badges'
import { events } from '@/db/tables/events'
import { groups } from '@/db/tables/groups'
import { oauthClients } from '@/db/tables/oauth'
import { connections, passDesigns } from '@/db/tables/passes'
import { users } from '@/db/tables/users'
import { mailboxKey } from '@/outbound/mail/send'
import type { Holding, Naming, Owner, Thing } from '../held/holding'

export type Person = { id: string; email: string | null }

export type Row = Record<string, unknown>

/** A column with its table, which drizzle omits in a select from one table, even inside a subquery. */
const full = (column: PgColumn) => sql.raw(`"${getTableName(column.table)}"."${column.name}"`)

const isOf = (owner: Owner, { id, email }: Person): SQL => {
  const column = full(owner.column)
  switch (owner.by) {
    case 'id':
      return sql`${column} = ${id}`
    case 'address':
      return sql`${column} = ${email?.toLowerCase() ?? null}::text`
    case 'mailbox':
      return email === null
        ? sql`false`
        : sql`${column} = ${sql.param(mailboxKey(email.toLowerCase()), owner.column)}`
    case 'row':
      return sql`${column} in (select ${full(owner.of)} from ${owner.of.table} where ${isOf(owner.owner, { id, email })})`
  }
}

const NAMES: Record<Thing, [key: PgColumn, name: PgColumn]> = {
  event: [events.id, events.title],
  group: [groups.id, groups.name],
  badge: [badges.id, badges.name],
  app: [oauthClients.clientId, oauthClients.name],
  achievement: [achievements.key, achievements.name],
  design: [passDesigns.id, passDesigns.name],
}

const nameOf = (thing: Thing, id: PgColumn) => {
  const [key, name] = NAMES[thing]
  return sql`(select ${full(name)} from ${key.table} where ${full(key)} = ${full(id)})`
}

/** Names people whom the reader may see now. People they met are named until one of the two is hidden. */
function personIn(id: PgColumn, naming: Naming, me: Person): SQL {
  const username = sql`case when ${full(users.isPublic)} then ${full(users.username)} end`
  const known =
    naming === 'public'
      ? full(users.isPublic)
      : sql`${full(users.suspendedAt)} is null and case when ${isOf({ by: 'id', column: connections.ownerId }, me)}
          then ${full(connections.ownerRemovedAt)} is null else ${full(connections.visitorRemovedAt)} is null end`
  return sql`case when ${full(id)} = ${me.id} then jsonb_build_object('you', true) else (
    select jsonb_build_object('name', ${full(users.name)}, 'username', ${username})
    from ${users} where ${full(users.id)} = ${full(id)} and ${known}) end`
}

/** A hidden achievement stays secret until completed. */
const isSurprise = (key: PgColumn, userId: PgColumn) => sql`not exists (
  select 1 from ${achievements} where ${full(achievements.key)} = ${full(key)} and ${full(achievements.hidden)}
    and not exists (select 1 from ${achievementProgress} as reached where reached.achievement_key = ${full(key)}
      and reached.user_id = ${full(userId)} and reached.completed_at is not null))`

const EXPORTED_IF = new Map<PgTable, SQL>([
  [achievementProgress, isSurprise(achievementProgress.achievementKey, achievementProgress.userId)],
  [achievementValues, isSurprise(achievementValues.achievementKey, achievementValues.userId)],
])

/** The columns of a compound key have infinitely recursive types: uses the table's own. */
const keyOf = (table: PgTable): PgColumn[] => {
  const { primaryKeys, columns } = getTableConfig(table)
  const names = primaryKeys[0]?.columns.map(({ name }) => name)
  return columns.filter(({ name, primary }) => names?.includes(name) ?? primary)
}

const list = (parts: SQL[]) => sql.join(parts, sql`, `)

const withoutId = (name: string) => name.replace(/(Id|Key)$/, '')

function fieldsOf({ table, of, shown, shownTo = {}, people = {}, things = {} }: Holding, me: Person) {
  const columns = getTableColumns(table) as Record<string, PgColumn>
  const column = (name: string) => columns[name] as PgColumn
  const ways = Object.entries(of)
  return {
    ...(ways.length > 1 && {
      you: sql`case ${sql.join(
        ways.map(([name, owner]) => sql`when ${isOf(owner, me)} then ${name}::text`),
        sql` `,
      )} end`,
    }),
    ...Object.fromEntries(
      shown.flatMap((name) => {
        const thing = things[name]
        return [[name, column(name)], ...(thing ? [[withoutId(name), nameOf(thing, column(name))]] : [])] as [
          string,
          PgColumn | SQL,
        ][]
      }),
    ),
    ...Object.fromEntries(
      Object.entries(shownTo).map(([name, who]) => [
        name,
        sql`case when ${isOf(of[who] as Owner, me)} then ${full(column(name))} end`.mapWith(column(name)),
      ]),
    ),
    ...Object.fromEntries(
      Object.entries(people).map(([name, naming]) => [
        withoutId(name),
        personIn(column(name), naming as Naming, me),
      ]),
    ),
  }
}

/**
 * A person's rows of a table, in batches ordered by key. Each batch sorts all of the person's rows: with 200,000 followers,
 * batches of 500 took the database minutes.
 */
export async function* rowsOf(db: Db, holding: Holding, me: Person, portion = 5000): AsyncGenerator<Row[]> {
  const { table, of } = holding
  const key = keyOf(table)
  const place = sql<string[]>`array[${list(key.map((column) => sql`${full(column)}::text`))}]`
  const mine = or(...Object.values(of).map((owner) => isOf(owner, me)))
  let last: string[] | undefined
  do {
    const rows = await db
      .select({ ...fieldsOf(holding, me), place })
      .from(table)
      .where(and(mine, EXPORTED_IF.get(table), last && beyond(key, last)))
      .orderBy(...key)
      .limit(portion)
    if (rows.length > 0) yield rows.map(({ place: _, ...row }) => row)
    last = rows.length < portion ? undefined : (rows.at(-1)?.place as string[])
  } while (last)
}

const beyond = (key: PgColumn[], last: string[]) =>
  sql`(${list(key.map(full))}) > (${list(
    key.map((column, i) => sql`${last[i]}::${sql.raw(column.getSQLType())}`),
  )})`

export async function findPerson(db: Db, id: string) {
  const [found] = await db
    .select({
      id: users.id,
      email: users.email,
      name: users.name,
      language: users.language,
      timeZone: users.timeZone,
      suspendedAt: users.suspendedAt,
    })
    .from(users)
    .where(eq(users.id, id))
  return found
}
