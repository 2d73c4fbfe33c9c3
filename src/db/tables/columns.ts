import { customType, timestamp } from 'drizzle-orm/pg-core'

/** Times in the database are UTC with milliseconds, as on the wire. */
export const at = (name: string) => timestamp(name, { withTimezone: true, precision: 3, mode: 'date' })

export const bytes = customType<{ data: Uint8Array; driverData: Uint8Array }>({ dataType: () => 'bytea' })
