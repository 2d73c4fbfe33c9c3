import type postgres from 'postgres'

/** How often people have met head-on in a database, so that it had to send one of them away. */
export const countDeadlocks = async (sql: postgres.Sql) =>
  Number((await sql`select deadlocks from pg_stat_database where datname = current_database()`)[0]?.deadlocks)
