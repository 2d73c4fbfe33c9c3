import { AsyncLocalStorage } from 'node:async_hooks'
import { fillPlaceholders, type Placeholder, type SQL, sql } from 'drizzle-orm'
import { PgDialect } from 'drizzle-orm/pg-core'
import { drizzle, type PostgresJsDatabase } from 'drizzle-orm/postgres-js'
import type postgres from 'postgres'
import { waitsOf } from './pool/answers'
import type { Statement, Types } from './pool/connection'
import type { Send } from './pool/on-connection'
import { openPool, type Pool, type PoolOptions } from './pool/pool'
import { direct } from './servers/direct'
import { onPrimary } from './servers/primary'
import { logPrimary, watchHosts } from './servers/watch'
import { isNamed } from './statement-names'

export type Db = PostgresJsDatabase
export type Tx = Parameters<Parameters<Db['transaction']>[0]>[0]

export type PoolName = 'requests' | 'queues' | 'replica'

let statements = 0

/** Statements since the start, so that a test can detect one per row. */
export const statementCount = () => statements

/** Set inside a transaction: its statements go through `tx`, or, for reads that only know `db`, through the same connection. */
export const insideTransaction = new AsyncLocalStorage<'changing' | 'reading'>()

/** Whether reads see the snapshot of a transaction. */
export const readsInTransaction = () => insideTransaction.getStore() === 'reading'

/** The pool of this process, set by `connectDatabase` before the first request. */
export let db: Db
/**
 * The same database for queue workers, with plans forced to use an index in its order. A queue is usually empty: a plan cached
 * then would scan or sort the whole table, and keep doing so with a hundred thousand rows.
 */
export let queueDb: Db
let pools: { name: PoolName; pool: Pool }[] = []
let address = ''
let watches: (() => void)[] = []

/** One each for finding domain events, claiming messages and recording results, which run concurrently. */
const QUEUE_CONNECTIONS = 3

/** The database address, for users of their own connections. */
export const databaseUrl = () => address

export function connectDatabase(url: string, options: PoolOptions): Db {
  address = url
  onPrimary(logPrimary)
  watches = [...new Set([url, direct(url)])].map(watchHosts)
  db = connect('requests', url, options)
  queueDb = connect('queues', direct(url), { ...options, max: QUEUE_CONNECTIONS, isForQueues: true })
  return db
}

/** Opens a connection and detects a pooler before the first requests need it. */
export const openFirstConnection = () => db.execute(sql`select 1`)

/** The pool of a replica; `closeDatabase` closes it too. */
export const connectReplica = (url: string, options: PoolOptions): Db => connect('replica', url, options)

export const poolFigures = () => pools.map(({ name, pool }) => ({ name, ...pool.figures() }))

function connect(name: PoolName, url: string, options: PoolOptions): Db {
  // Drizzle writes its parsers of dates and JSON here before the first connection opens.
  const types: Types = { parsers: {}, serializers: {} }
  const pool = openPool(url, { ...options, onWaited: waitsOf(name) }, types, isNamed)
  pools.push({ name, pool })
  return drizzle(asDriver(pool, types))
}

export async function closeDatabase(): Promise<void> {
  for (const end of watches) end()
  watches = []
  await Promise.all(pools.map(({ pool }) => pool.close()))
  pools = []
}

/** A drizzle statement built once, on first use: building one costs more than running it. */
export function onceBuilt<T>(build: (db: Db) => T): () => T {
  let built: { by: Db; value: T } | undefined
  return () => {
    if (built?.by !== db) built = { by: db, value: build(db) }
    return built.value
  }
}

/** A raw SQL statement built once, with named placeholders. */
export function onceWritten<Values extends Record<string, unknown>, Row>(
  write: (value: (name: keyof Values & string) => Placeholder) => SQL,
): (values: Values) => Promise<readonly Row[]> {
  const { sql: text, params } = new PgDialect().sqlToQuery(write((name) => sql.placeholder(name)))
  return async (values) =>
    (db as Db & { $client: postgres.Sql }).$client.unsafe(text, fillPlaceholders(params, values) as string[])
}

/** The same per kind, from a closed set. */
export function onceBuiltPerKind<Kind extends string, T>(
  build: (db: Db, kind: Kind) => T,
): (kind: Kind) => T {
  const kinds = new Map<Kind, () => T>()
  return (kind) => {
    let built = kinds.get(kind)
    if (built === undefined) {
      built = onceBuilt((by) => build(by, kind))
      kinds.set(kind, built)
    }
    return built()
  }
}

/** The connection of the current transaction. */
const held = new AsyncLocalStorage<Send>()

/** The part of the driver that drizzle uses. */
function asDriver(pool: Pool, types: Types): postgres.Sql {
  const unsafe = (text: string, parameters: unknown[] = []) => {
    if (readsInTransaction()) return lazy(held.getStore() as Send, text, parameters)
    // Transactions that wait for a second connection can deadlock the pool.
    if (insideTransaction.getStore())
      throw new Error('Inside a transaction every statement goes through its tx')
    return lazy(pool.statement, text, parameters)
  }
  const begin = (work: (tx: unknown) => Promise<unknown>) =>
    pool.transaction((send) => held.run(send, work, asTransaction(send)))
  return { options: types, unsafe, begin } as unknown as postgres.Sql
}

function asTransaction(send: Send) {
  let savepoints = 0
  const transaction = {
    unsafe: (text: string, parameters: unknown[] = []) => lazy(send, text, parameters),
    async savepoint<T>(work: (nested: unknown) => Promise<T>): Promise<T> {
      savepoints += 1
      const name = `savepoint_${savepoints}`
      await send(`savepoint ${name}`, [], rows)
      try {
        const result = await work(transaction)
        await send(`release ${name}`, [], rows)
        return result
      } catch (error) {
        await send(`rollback to ${name}`, [], rows)
        throw error
      }
    },
  }
  return transaction
}

const rows = (statement: Statement) => statement
const values = (statement: Statement) => statement.values()

/** Drizzle either awaits a statement or calls `values()`: nothing runs before that. */
const lazy = (send: Send, text: string, parameters: unknown[]) => ({
  // biome-ignore lint/suspicious/noThenProperty: this is the driver's own interface, a query that runs when awaited.
  then: (resolve: (value: unknown) => unknown, reject: (reason: unknown) => unknown) => {
    statements += 1
    return send(text, parameters, rows).then(resolve, reject)
  },
  values: () => {
    statements += 1
    return send(text, parameters, values)
  },
})
