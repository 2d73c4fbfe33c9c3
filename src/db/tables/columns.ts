import { customType, timestamp } from 'drizzle-orm/pg-core'

/** Times in the database are UTC with milliseconds, as on the wire. */
export const at = (name: string) => timestamp(name, { withTimezone: true, precision: 3, mode: 'date' })

/** The transaction that wrote a row, and what of all transactions could be seen at a moment. */
export const transactionId = customType<{ data: string }>({ dataType: () => 'xid8' })
export const snapshot = customType<{ data: string }>({ dataType: () => 'pg_snapshot' })

export const bytes = customType<{ data: Uint8Array; driverData: Uint8Array }>({ dataType: () => 'bytea' })
