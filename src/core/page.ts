import { type Static, type TSchema, Type } from '@sinclair/typebox'
import { line, optional, whole } from './fields'

export const Pagination = Type.Object(
  {
    limit: Type.Number({ description: 'The most items that a page of this size holds.' }),
    hasMore: Type.Boolean({ description: 'Whether there is a next page.' }),
    total: Type.Optional(Type.Number({ description: 'Left out where counting is expensive.' })),
    offset: Type.Optional(Type.Number({ description: 'In offset mode only.' })),
    nextCursor: Type.Optional(Type.String({ description: 'Pass as `cursor` for the next page.' })),
    prevCursor: Type.Optional(Type.String({ description: 'Pass as `before` for the previous page.' })),
  },
  { $id: 'Pagination' },
)
export type Pagination = Static<typeof Pagination>

const LIMIT_MAX = 100

/** Long enough for a sort key of 200 characters in any script. */
const CURSOR_MAX = 2000

/** The paging fields of every list. */
export const pageFields = {
  limit: whole(1, LIMIT_MAX, { default: 20, description: 'Items per page.' }),
  cursor: optional(line(1, CURSOR_MAX, { description: '`nextCursor` of the page before.' })),
  before: optional(line(1, CURSOR_MAX, { description: '`prevCursor` of the page after.' })),
  offset: whole(0, 2_000_000_000, {
    default: 0,
    deprecated: true,
    description:
      'Rows to skip, at most 10,000 of a list that has more; ignored with a cursor. Cursors are stable while rows are inserted, this is not.',
  }),
}

export const PageInput = Type.Object(pageFields)
export type PageInput = Static<typeof PageInput>

export type Page<T> = { data: T[]; pagination: Pagination }

export const pageOf = <T extends TSchema>(item: T) =>
  Type.Object({ data: Type.Array(item), pagination: Pagination })

/** A complete list as one page. */
export const wholePage = <T>(data: T[]): Page<T> => ({
  data,
  pagination: { limit: Math.max(data.length, LIMIT_MAX), hasMore: false, total: data.length },
})

export const Success = Type.Object({ success: Type.Literal(true) }, { $id: 'Success' })

/** The output of an action that `serveDocument` binds: it leaves as a document, never as this object. */
export const internal = <T>() => Type.Unsafe<T>(Type.Any())

/** The output of an action without a result: 204. */
export const Nothing = Type.Void()
