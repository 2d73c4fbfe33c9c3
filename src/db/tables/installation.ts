import { sql } from 'drizzle-orm'
import { boolean, check, pgTable, text } from 'drizzle-orm/pg-core'
import { at } from './columns'

/** The use of a database, marked by the first server on it: one row at most. */
export const installation = pgTable(
  'installation',
  {
    only: boolean().primaryKey().default(true),
    use: text({ enum: ['demo', 'production'] }).notNull(),
    /** When the last backup was begun that was then read back and found whole. */
    backedUpAt: at('backed_up_at'),
  },
  (table) => [
    check('installation_only', sql`${table.only}`),
    check('installation_use', sql`${table.use} in ('demo', 'production')`),
  ],
)
