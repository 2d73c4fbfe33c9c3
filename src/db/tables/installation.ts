import { sql } from 'drizzle-orm'
import { boolean, check, pgTable, text } from 'drizzle-orm/pg-core'
import { at } from './columns'

/** The use of a database, marked by its first server: at most one row. */
export const installation = pgTable(
  'installation',
  {
    only: boolean().primaryKey().default(true),
    use: text({ enum: ['demo', 'production'] }).notNull(),
    /** The start of the last backup that was verified. */
    backedUpAt: at('backed_up_at'),
  },
  (table) => [
    check('installation_only', sql`${table.only}`),
    check('installation_use', sql`${table.use} in ('demo', 'production')`),
  ],
)
