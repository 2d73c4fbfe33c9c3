import { getTableColumns, is, SQL, sql } from 'drizzle-orm'
import type { PgColumn, PgTable, PgUpdateSetSource } from 'drizzle-orm/pg-core'

/*
 * Callers send some of the fields of a row. Each selection of them would be a statement of its own, and connections
 * keep the statements that they have prepared: these two give one text, whatever was sent.
 */

type Columns<T extends PgTable> = Record<keyof T['$inferInsert'], PgColumn>

/** Sets all of the columns that a change may touch; those that it leaves out keep their value at that moment. */
export function patched<T extends PgTable, N extends keyof T['$inferInsert'] & string>(
  table: T,
  names: readonly N[],
  change: { [K in N]?: T['$inferInsert'][K] },
): PgUpdateSetSource<T> {
  const columns = getTableColumns(table) as unknown as Columns<T>
  const set = names.map((name) => {
    const value = change[name]
    const isGiven = value !== undefined
    const column = columns[name]
    return [
      name,
      sql`case when ${isGiven}::boolean then ${sql.param(isGiven ? value : null, column)} else ${column} end`,
    ]
  })
  const others = Object.keys(change).filter((name) => !names.includes(name as N))
  if (others.length > 0) throw new Error(`A change may not touch ${others.join(', ')}`)
  return Object.fromEntries(set) as PgUpdateSetSource<T>
}

/** A new row with every column that has no default but one of the database's own making, such as the time. */
export function complete<R extends Record<string, unknown>>(table: PgTable & { $inferInsert: R }, row: R): R {
  const columns = Object.entries(getTableColumns(table) as Record<string, PgColumn>)
  const missing = columns.flatMap(([name, { default: fallback, generated, generatedIdentity }]) =>
    row[name] !== undefined || generated || generatedIdentity || is(fallback, SQL)
      ? []
      : [[name, fallback ?? null]],
  )
  return { ...row, ...Object.fromEntries(missing) }
}
