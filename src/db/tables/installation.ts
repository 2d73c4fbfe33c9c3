import { sql } from 'drizzle-orm'
import { boolean, check, pgTable, text } from 'drizzle-orm/pg-core'

/** The use of a database, marked by the first server on it: one row at most. */
export const installation = pgTable(
  'installation',
  {
    only: boolean().primaryKey().default(true),
    use: text({ enum: ['demo', 'production'] }).notNull(),
  },
  (table) => [
    check('installation_only', sql`${table.only}`),
    check('installation_use', sql`${table.use} in ('demo', 'production')`),
  ],
)
