import { AsyncLocalStorage } from 'node:async_hooks'
import { fillPlaceholders, type Placeholder, type SQL, sql } from 'drizzle-orm'
import { PgDialect } from 'drizzle-orm/pg-core'
import { drizzle, type PostgresJsDatabase } from 'drizzle-orm/postgres-js'
import type postgres from 'postgres'
import type { Statement, Types } from './pool/connection'
import type { Send } from './pool/on-connection'
import { openPool, type Pool, type PoolOptions } from './pool/pool'
import { waitsOf } from './pool/waits'
import { direct } from './servers/direct'
import { onPrimary } from './servers/primary'
import { sayPrimary } from './servers/say-primary'
import { watchHosts } from './servers/watch'
import { isNamed } from './statement-names'

export type Db = PostgresJsDatabase
export type Tx = Parameters<Parameters<Db['transaction']>[0]>[0]

/** What its connections are for. */
export type PoolName = 'requests' | 'queues' | 'replica'

let statements = 0

/** Statements since the start, so that a test can see a list that costs one per row. */
export const statementCount = () => statements

/** Set while a transaction of ours runs: its statements go through `tx`, or, for reads that know only `db`, through the same connection. */
export const insideTransaction = new AsyncLocalStorage<'changing' | 'reading'>()

/** Whether what is read now is the state that a transaction found. */
export const readsInTransaction = () => insideTransaction.getStore() === 'reading'

/** The pool of this process. Set by `connectDatabase`, before the first request. */
export let db: Db
/**
 * The same database for workers that take from queues, where every plan goes by an index and in its order. A queue is
 * empty most of the time: a plan made then would say "read it all" or "sort it all", and go on saying so when a hundred
 * thousand rows have come in.
 */
export let queueDb: Db
let pools: { name: PoolName; pool: Pool }[] = []
let address = ''
let watches: (() => void)[] = []

/** One each for finding domain events, taking messages and recording results, which happen at the same time. */
const QUEUE_CONNECTIONS = 3

/** The address of the database, for those who need connections of their own. */
export const databaseUrl = () => address

export function connectDatabase(url: string, options: PoolOptions): Db {
  address = url
  onPrimary(sayPrimary)
  watches = [...new Set([url, direct(url)])].map(watchHosts)
  db = connect('requests', url, options)
  queueDb = connect('queues', direct(url), { ...options, max: QUEUE_CONNECTIONS, isForQueues: true })
  return db
}

/** Opens a connection for the first requests, which would wait for it, and for what a pooler has to be asked before. */
export const openFirstConnection = () => db.execute(sql`select 1`)

/** A pool of a server that follows the primary; `closeDatabase` closes it with the others. */
export const connectReplica = (url: string, options: PoolOptions): Db => connect('replica', url, options)

/** How the pools stand. */
export const poolFigures = () => pools.map(({ name, pool }) => ({ name, ...pool.figures() }))

function connect(name: PoolName, url: string, options: PoolOptions): Db {
  // Drizzle writes here how it wants dates and JSON, before the first connection is opened.
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

/** A statement in words of our own, built once: what differs from call to call goes in by name. */
export function onceWritten<Values extends Record<string, unknown>, Row>(
  write: (value: (name: keyof Values & string) => Placeholder) => SQL,
): (values: Values) => Promise<readonly Row[]> {
  const { sql: text, params } = new PgDialect().sqlToQuery(write((name) => sql.placeholder(name)))
  return async (values) =>
    (db as Db & { $client: postgres.Sql }).$client.unsafe(text, fillPlaceholders(params, values) as string[])
}

/** The same for statements of a few kinds, each named by a text of a closed set. */
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

/** The connection of the transaction that runs. */
const held = new AsyncLocalStorage<Send>()

/** What drizzle sees of the driver. */
function asDriver(pool: Pool, types: Types): postgres.Sql {
  const unsafe = (text: string, parameters: unknown[] = []) => {
    if (readsInTransaction()) return lazy(held.getStore() as Send, text, parameters)
    // A transaction that waits for a second connection can wait for ever, together with all others that do.
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

/** Drizzle either awaits a statement or asks for its `values()`: nothing runs before it has chosen. */
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
