import { getTableName, type SQL, sql } from 'drizzle-orm'
import { customType, index, type PgColumn, type PgTable, timestamp } from 'drizzle-orm/pg-core'
import { shownAddress, storedAddress } from '@/core/own-addresses'

/** A table and a column, for those who say something of them and ask for nothing. */
export type Table = PgTable
export type Column = PgColumn

export const tableName = (table: Table): string => getTableName(table)

/** Times in the database are UTC with milliseconds, as on the wire. */
export const at = (name: string) => timestamp(name, { withTimezone: true, precision: 3, mode: 'date' })

/** The transaction that wrote a row, and what of all transactions could be seen at a moment. */
export const transactionId = customType<{ data: string }>({ dataType: () => 'xid8' })
export const snapshot = customType<{ data: string }>({ dataType: () => 'pg_snapshot' })

export const tsvector = customType<{ data: string }>({ dataType: () => 'tsvector' })

export const bytes = customType<{ data: Uint8Array; driverData: Uint8Array }>({ dataType: () => 'bytea' })

/** An address of a picture, as it is shown; see `storedAddress`. Statements in words of our own get what is stored. */
export const pictureAddress = customType<{ data: string; driverData: string }>({
  dataType: () => 'text',
  toDriver: storedAddress,
  fromDriver: shownAddress,
})

/**
 * The key of an upload in a column of addresses; null in an address of another kind. The host does not matter: ours may
 * have been another one when the address was written. The length is bounded, since an index takes no long words; a
 * regular expression would say the same, and take a hundred times as long for every row.
 */
export const uploadKey = (column: PgColumn): SQL =>
  sql`nullif(left(split_part(split_part(${column}, 'v1/uploads/file/', 2), '?', 1), 200), '')`

/** Finds the rows that use an upload. Rows without one are not in it. */
export const uploadIndex = (name: string, column: PgColumn) =>
  index(name)
    .on(uploadKey(column))
    .where(sql`${uploadKey(column)} is not null`)
