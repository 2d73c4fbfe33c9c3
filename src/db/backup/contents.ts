/** A migration that the database has run, as drizzle notes it. */
export type Applied = { hash: string; at: number }

/** A table, and those of its columns that are not computed from others. */
export type Table = { name: string; columns: string[] }

/** How many rows, and the sum of their hashes, by which two tables are compared whatever the order of their rows. */
export type Counted = { rows: number; hash: string }

export type Sequence = { name: string; last: string }

/** What has to be known before rows can be read or written. */
export type Shape = { migrations: Applied[]; tables: Table[] }

/** What is known once all rows were read. */
export type Sums = { counts: Record<string, Counted>; sequences: Sequence[] }
