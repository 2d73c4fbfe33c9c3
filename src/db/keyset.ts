import { timingSafeEqual } from 'node:crypto'
import { type SQL, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import { config } from '@/config/config'
import { badRequest } from '@/core/errors'
import type { Page, PageInput } from '@/core/page'
import { refusals } from '@/core/refusals'

type Value = string | number | boolean | Date

/** A sort expression with its SQL type. */
export type Computed = { sql: SQL; type: string }

type Key<R> = readonly [column: PgColumn | Computed, of: (row: R) => Value]

export type Order<R> = {
  direction: 'asc' | 'desc'
  /** Must end in a unique column, so that pages never skip or repeat rows. */
  keys: readonly Key<R>[]
}

export const ascending = <R>(...keys: Key<R>[]): Order<R> => ({ direction: 'asc', keys })
export const descending = <R>(...keys: Key<R>[]): Order<R> => ({ direction: 'desc', keys })

/** The condition that a page starts after its cursor. */
export type After = SQL | undefined

/** The order and row limit of a page, for a select that looks rows up first. */
export type Cut = { order: SQL; rows: number }

/** A select that `keysetPage` orders and limits. */
export type Rows<R> = {
  orderBy(order: SQL): { limit(rows: number): { offset(rows: number): PromiseLike<R[]> } }
}

type Request<R> = {
  /** Binds a cursor to its list and filters: any other is rejected. */
  list: string
  filters?: Record<string, unknown>
  input: PageInput
  order: Order<R>
  rows: (after: After, cut: Cut) => Rows<R>
  total?: number
}

/** Bounded, because an offset reads every skipped row. */
const OFFSET_MAX = 10_000

/** One page by keyset: the millionth row costs what the first does. Reads one extra row for `hasMore`. */
export async function keysetPage<R, T>(
  { list, filters, input, order, rows, total }: Request<R>,
  present: (row: R) => T,
): Promise<Page<T>> {
  const name = `${list}?${JSON.stringify(filters ?? {})}`
  const backwards = input.cursor === undefined && input.before !== undefined
  const cursor = input.cursor ?? input.before
  const offset = cursor === undefined ? Math.min(input.offset, OFFSET_MAX) : 0
  const direction = backwards ? opposite(order.direction) : order.direction
  const after =
    cursor === undefined ? undefined : beyond(order, direction, openCursor(name, cursor, order.keys.length))
  const sorted = sortedBy(order, direction)
  const found = await rows(after, { order: sorted, rows: offset + input.limit + 1 })
    .orderBy(sorted)
    .limit(input.limit + 1)
    .offset(offset)
  if (cursor === undefined && input.offset > OFFSET_MAX) {
    if (found.length > 0) throw badRequest(refusals.tooFar)
    return {
      data: [],
      pagination: {
        limit: input.limit,
        hasMore: false,
        ...(total !== undefined && { total }),
        offset: input.offset,
      },
    }
  }
  const further = found.length > input.limit
  const page = found.slice(0, input.limit)
  if (backwards) page.reverse()
  const [hasNext, hasPrevious] = backwards ? [true, further] : [further, cursor !== undefined || offset > 0]
  const cursorAt = (row: R | undefined) =>
    row &&
    sealCursor(
      name,
      order.keys.map(([, of]) => of(row)),
    )
  const nextCursor = hasNext ? cursorAt(page.at(-1)) : undefined
  const prevCursor = hasPrevious ? cursorAt(page[0]) : undefined
  return {
    data: page.map(present),
    pagination: {
      limit: input.limit,
      hasMore: hasNext && page.length > 0,
      ...(total !== undefined && { total }),
      ...(cursor === undefined && { offset }),
      ...(nextCursor && { nextCursor }),
      ...(prevCursor && { prevCursor }),
    },
  }
}

export const sortedBy = <R>({ keys }: Order<R>, direction: 'asc' | 'desc'): SQL =>
  sql.join(
    keys.map(([column]) =>
      direction === 'asc' ? sql`${expression(column)} asc` : sql`${expression(column)} desc`,
    ),
    sql`, `,
  )

const expression = (column: PgColumn | Computed): SQL => ('sql' in column ? column.sql : sql`${column}`)

const opposite = (direction: 'asc' | 'desc') => (direction === 'asc' ? 'desc' : 'asc')

/** A row comparison, which an index in the same order answers directly. */
function beyond<R>(order: Order<R>, direction: 'asc' | 'desc', values: Value[]): SQL {
  const columns = sql.join(
    order.keys.map(([column]) => expression(column)),
    sql`, `,
  )
  const bounds = sql.join(
    order.keys.map(
      ([column], i) => sql`${values[i]}::${sql.raw('sql' in column ? column.type : column.getSQLType())}`,
    ),
    sql`, `,
  )
  return direction === 'asc' ? sql`(${columns}) > (${bounds})` : sql`(${columns}) < (${bounds})`
}

function sealCursor(list: string, values: Value[]): string {
  const body = Buffer.from(JSON.stringify(values)).toString('base64url')
  return `${body}.${mac(list, body)}`
}

function openCursor(list: string, cursor: string, length: number): Value[] {
  const [body = '', seal = ''] = cursor.split('.')
  const [shown, expected] = [Buffer.from(seal), Buffer.from(mac(list, body))]
  if (shown.length !== expected.length || !timingSafeEqual(shown, expected)) throw foreign()
  const values = JSON.parse(Buffer.from(body, 'base64url').toString()) as Value[]
  if (values.length !== length) throw foreign()
  return values
}

const foreign = () => badRequest(refusals.foreignCursor)

const mac = (list: string, body: string) =>
  new Bun.CryptoHasher('sha256', config.secretKey)
    .update(`cursor\n${list}\n${body}`)
    .digest('base64url')
    .slice(0, 22)
