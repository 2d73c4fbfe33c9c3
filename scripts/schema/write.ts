import postgres from 'postgres'
import { readExtensions, readFunctions, readTables, readTypes, type Table } from './catalog'

const HEAD = `-- The database as the migrations leave it, for reading. Written by \`bun run generate\`; change src/db/tables and migrations/ instead.
-- A table stands after those that it refers to.`

/** The schema as SQL that recreates it, in an order independent of its history. */
export async function writeSchema(url: string): Promise<string> {
  const sql = postgres(url, { max: 1, onnotice: () => {} })
  try {
    // Names on the search path are written without their schema.
    await sql`set search_path = public`
    const extensions = await readExtensions(sql)
    const types = await readTypes(sql)
    const functions = await readFunctions(sql)
    const tables = writeTables(inOrder(await readTables(sql)))
    const parts = [...extensions, ...types, ...functions].map((text) => `${text};`)
    return `${[HEAD, ...parts, ...tables].join('\n\n')}\n`
  } finally {
    await sql.end()
  }
}

/** By name, but after referenced tables; a cycle is cut at one of them. */
function inOrder(tables: Table[]): Table[] {
  const byName = new Map(tables.map((table) => [table.name, table]))
  const ordered = new Set<Table>()
  const reached = new Set<Table>()
  const place = (table: Table) => {
    if (reached.has(table)) return
    reached.add(table)
    for (const { to } of table.references) place(byName.get(to) as Table)
    ordered.add(table)
  }
  tables.forEach(place)
  return [...ordered]
}

function writeTables(tables: Table[]): string[] {
  const there = new Set<string>()
  const late: string[] = []
  const written = tables.map((table) => {
    there.add(table.name)
    const references = table.references.filter(({ to, definition }) => {
      if (!there.has(to)) late.push(`ALTER TABLE ${table.name} ADD ${definition};`)
      return there.has(to)
    })
    return writeTable(
      table,
      references.map(({ definition }) => definition),
    )
  })
  return [...written, ...late]
}

function writeTable({ name, options, columns, constraints, indexes, triggers }: Table, references: string[]) {
  const inside = [...columns, ...constraints, ...references].map((line) => `  ${line}`).join(',\n')
  const table = `CREATE TABLE ${name} (\n${inside}\n)${options ? ` WITH (${options})` : ''}`
  return [
    `-- ${name} ${'-'.repeat(Math.max(3, 100 - name.length))}`,
    ...[table, ...indexes, ...triggers].map((text) => `${text};`),
  ].join('\n')
}
