import { type SQL, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'

/** The first half of the lock's name; the second is the number of the process. */
const PROCESSES = 0x666d7072

const self = crypto.getRandomValues(new Int32Array(1))[0] as number

/** Held for the lifetime of the process's LISTEN connection: PostgreSQL releases it when the process dies. */
export const HOLD_LIFE = `select pg_advisory_lock_shared(${PROCESSES}, ${self})`

let isHeld = false

/** Set by the notify channel, which holds that connection. */
export const setLife = (held: boolean) => {
  isHeld = held
}

/** The number by which others see that this process lives; null while it does not listen. */
export const liveProcessId = (): number | null => (isHeld ? self : null)

export const isDead = (process: PgColumn): SQL => sql`(${process} is not null and not exists (
  select from pg_locks where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())
    and classid = ${sql.raw(String(PROCESSES))} and objid::bigint = (${process}::bigint & 4294967295) and granted))`
