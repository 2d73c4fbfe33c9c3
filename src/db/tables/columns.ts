import { getTableName, type SQL, sql } from 'drizzle-orm'
import { customType, index, type PgColumn, type PgTable, timestamp } from 'drizzle-orm/pg-core'
import { shownAddress, storedAddress } from '@/core/own-addresses'

/** For code that describes tables and columns without queries. */
export type Table = PgTable
export type Column = PgColumn

export const tableName = (table: Table): string => getTableName(table)

/** UTC with milliseconds, as on the wire. */
export const at = (name: string) => timestamp(name, { withTimezone: true, precision: 3, mode: 'date' })

/** The transaction that wrote a row, and the visibility snapshot of a moment. */
export const transactionId = customType<{ data: string }>({ dataType: () => 'xid8' })
export const snapshot = customType<{ data: string }>({ dataType: () => 'pg_snapshot' })

export const tsvector = customType<{ data: string }>({ dataType: () => 'tsvector' })

export const bytes = customType<{ data: Uint8Array; driverData: Uint8Array }>({ dataType: () => 'bytea' })

/** A picture address in its public form; see `storedAddress`. Raw SQL gets the stored form. */
export const pictureAddress = customType<{ data: string; driverData: string }>({
  dataType: () => 'text',
  toDriver: storedAddress,
  fromDriver: shownAddress,
})

/**
 * The key of an upload in an address column; null for another address. Ignores the host, which may have changed since. The length
 * is bounded for the index; a regular expression would take a hundred times as long per row.
 */
export const uploadKey = (column: PgColumn): SQL =>
  sql`nullif(left(split_part(split_part(${column}, 'v1/uploads/file/', 2), '?', 1), 200), '')`

/** Finds the rows that use an upload; rows without one are not indexed. */
export const uploadIndex = (name: string, column: PgColumn) =>
  index(name)
    .on(uploadKey(column))
    .where(sql`${uploadKey(column)} is not null`)
