import { type Static, Type } from '@sinclair/typebox'

const Name = Type.String({ pattern: '^[a-z_][a-z0-9_]{0,62}$' })

/** A migration that the database has run, as drizzle records it. */
export type Applied = Static<typeof Applied>
const Applied = Type.Object({ hash: Type.String({ pattern: '^[0-9a-f]{64}$' }), at: Type.Number() })

/** A table with its columns, without generated ones. */
export type Table = Static<typeof Table>
const Table = Type.Object({ name: Name, columns: Type.Array(Name, { minItems: 1 }) })

/** The row count and an order-independent sum of row hashes, by which two tables are compared. */
export type Counted = Static<typeof Counted>
const Counted = Type.Object({
  rows: Type.Integer({ minimum: 0 }),
  hash: Type.String({ pattern: '^[0-9a-f]{16}$' }),
})

export type Sequence = Static<typeof Sequence>
const Sequence = Type.Object({ name: Name, last: Type.String({ pattern: '^-?[0-9]{1,19}$' }) })

/** Known before any row is read or written. */
export type Shape = Static<typeof Shape>
export const Shape = Type.Object({
  migrations: Type.Array(Applied, { minItems: 1 }),
  tables: Type.Array(Table, { minItems: 1 }),
})

/** Known once all rows are read. */
export type Sums = Static<typeof Sums>
export const Sums = Type.Object({
  counts: Type.Record(Name, Counted, { additionalProperties: false }),
  sequences: Type.Array(Sequence),
})
