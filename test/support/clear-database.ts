import { isNull, type SQL, sql } from 'drizzle-orm'
import { db } from '@/db/client'
import { events } from '@/db/tables/events'
import { outbox } from '@/db/tables/outbox'
import { users } from '@/db/tables/users'
import { webhooks } from '@/db/tables/webhooks'
import { dropCaches } from '@/outbox/bus'

/** Feeds, boards and sweeps of later files would take seconds with more. */
const ROWS_MAX = 200

const rowsOf = async <T>(query: SQL) => [...(await db.execute(query))] as T[]

/** Tables with rows that migrations insert. */
const SEEDED = ['people_tally', 'badges', 'achievements'] as const
const seeds = await Promise.all(
  SEEDED.map(async (table) => ({
    table: sql.identifier(table),
    rows: JSON.stringify(await rowsOf(sql`select * from ${sql.identifier(table)}`)),
  })),
)
// A server writes these once, and remembers them.
const tables = await rowsOf<{ name: string }>(sql`select tablename as name from pg_tables
  where schemaname = 'public' and tablename not in ('calendar_host', 'installation')`)

/** Runs after each file, since the files of a process share its database: the next one pays only for what it does itself. */
export async function clearDatabase(): Promise<void> {
  await db.delete(webhooks)
  await db.update(outbox).set({ relayedAt: new Date() }).where(isNull(outbox.relayedAt))
  if ((await db.$count(users)) + (await db.$count(events)) < ROWS_MAX) return
  const all = tables.map(({ name }) => sql.identifier(name))
  await db.transaction(async (tx) => {
    // Without triggers, of which one refuses to clear the audit log.
    await tx.execute(sql`set local session_replication_role = replica`)
    await tx.execute(sql`truncate ${sql.join(all, sql`, `)}`)
    for (const { table, rows } of seeds)
      await tx.execute(
        sql`insert into ${table} select * from jsonb_populate_recordset(null::${table}, ${rows}::jsonb)`,
      )
  })
  dropCaches()
}
