import { type Static, Type } from '@sinclair/typebox'

const Name = Type.String({ pattern: '^[a-z_][a-z0-9_]{0,62}$' })

/** A migration that the database has run, as drizzle notes it. */
export type Applied = Static<typeof Applied>
const Applied = Type.Object({ hash: Type.String({ pattern: '^[0-9a-f]{64}$' }), at: Type.Number() })

/** A table, and those of its columns that are not computed from others. */
export type Table = Static<typeof Table>
const Table = Type.Object({ name: Name, columns: Type.Array(Name, { minItems: 1 }) })

/** How many rows, and the sum of their hashes, by which two tables are compared whatever the order of their rows. */
export type Counted = Static<typeof Counted>
const Counted = Type.Object({
  rows: Type.Integer({ minimum: 0 }),
  hash: Type.String({ pattern: '^[0-9a-f]{16}$' }),
})

export type Sequence = Static<typeof Sequence>
const Sequence = Type.Object({ name: Name, last: Type.String({ pattern: '^-?[0-9]{1,19}$' }) })

/** What has to be known before rows can be read or written. */
export type Shape = Static<typeof Shape>
export const Shape = Type.Object({
  migrations: Type.Array(Applied, { minItems: 1 }),
  tables: Type.Array(Table, { minItems: 1 }),
})

/** What is known once all rows were read. */
export type Sums = Static<typeof Sums>
export const Sums = Type.Object({
  counts: Type.Record(Name, Counted, { additionalProperties: false }),
  sequences: Type.Array(Sequence),
})
