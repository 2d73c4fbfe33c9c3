import { type Static, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { Shape, Sums } from '@/db/backup/contents'

/** Raised when older releases cannot read the new format. */
export const FORMAT = 1

const Printable = Type.String({ pattern: '^[ -~]{1,100}$' })

const Start = Type.Object({ format: Type.Integer(), folkmoot: Printable, at: Printable })

export type Files = Static<typeof Files>
const Files = Type.Object({ objects: Type.Integer({ minimum: 0 }), bytes: Type.Integer({ minimum: 0 }) })

export type Manifest = Static<typeof Manifest>
const Manifest = Type.Composite([
  Start,
  Shape,
  Sums,
  Type.Object({
    postgres: Printable,
    /** Null without uploaded files. */
    files: Type.Union([Files, Type.Null()]),
    /** The SHA-256 of each list of checksums. */
    lists: Type.Array(Type.String({ pattern: '^[0-9a-f]{64}$' })),
  }),
])

/** Undefined for invalid content, even with a valid checksum. */
export const startIn = (bytes: Buffer) => parsed(Start, bytes)
export const manifestIn = (bytes: Buffer) => parsed(Manifest, bytes)

function parsed<S extends typeof Start | typeof Manifest>(schema: S, bytes: Buffer): Static<S> | undefined {
  try {
    const value: unknown = JSON.parse(bytes.toString())
    return Value.Check(schema, value) ? value : undefined
  } catch {
    return undefined
  }
}

export const rowsIn = ({ counts }: Pick<Manifest, 'counts'>) =>
  Object.values(counts).reduce((sum, { rows }) => sum + rows, 0)
