import type postgres from 'postgres'

/** Everything that a database holds, as whoever steals a copy of it reads it: a line for each row, bytes in hex. */
export async function dumpOf(sql: postgres.Sql): Promise<string[]> {
  const tables = await sql<{ name: string }[]>`
    select format('%I.%I', schemaname, tablename) as name from pg_tables
    where schemaname not in ('pg_catalog', 'information_schema')`
  const lines: string[] = []
  for (const { name } of tables)
    for (const { row } of await sql<{ row: string }[]>`select t::text as row from ${sql.unsafe(name)} t`)
      lines.push(`${name} ${row}`)
  return lines
}
