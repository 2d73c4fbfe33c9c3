import { AsyncLocalStorage } from 'node:async_hooks'
import { drizzle, type PostgresJsDatabase } from 'drizzle-orm/postgres-js'
import postgres from 'postgres'
import { type Gate, gate } from './gate'

export type Db = PostgresJsDatabase
export type Tx = Parameters<Parameters<Db['transaction']>[0]>[0]

let statements = 0

/** Statements since the start: a list that costs one per row would show. */
export const statementCount = () => statements

/** True while a transaction of ours runs. */
export const insideTransaction = new AsyncLocalStorage<true>()

/** The pool of this process. Set by `connectDatabase`, before the first request. */
export let db: Db
/**
 * The same database for those who take from queues, where every plan goes by an index and in its order. A queue is
 * empty most of the time: a plan made then would say "read it all" or "sort it all", and go on saying so when a
 * hundred thousand have come in.
 */
export let queueDb: Db
let clients: postgres.Sql[] = []
let address = ''

export const BY_INDEX = {
  enable_seqscan: 'off',
  enable_bitmapscan: 'off',
  enable_sort: 'off',
  plan_cache_mode: 'force_generic_plan',
}

/** Looking for facts, taking messages and writing down what came of them, all at the same time. */
const QUEUE_CONNECTIONS = 3

/** Where that database is, for those who need connections of their own. */
export const databaseUrl = () => address

export type PoolOptions = { max: number; statementTimeoutMs: number; name: string; isForQueues?: boolean }

export function connectDatabase(url: string, options: PoolOptions): Db {
  address = url
  db = connect(options)
  queueDb = connect({ ...options, max: QUEUE_CONNECTIONS, isForQueues: true })
  return db
}

function connect(options: PoolOptions): Db {
  const client = openClient(address, options)
  clients.push(client)
  return drizzle(prepared(client, openGate(options)))
}

export async function closeDatabase(): Promise<void> {
  await Promise.all(clients.map((client) => client.end({ timeout: 3 })))
  clients = []
}

/** A drizzle statement built once, on first use: building one costs more than running it. */
export function onceBuilt<T>(build: (db: Db) => T): () => T {
  let built: { by: Db; value: T } | undefined
  return () => {
    if (built?.by !== db) built = { by: db, value: build(db) }
    return built.value
  }
}

function openClient(
  url: string,
  { max, statementTimeoutMs, name, isForQueues = false }: PoolOptions,
): postgres.Sql {
  return postgres(url, {
    max,
    idle_timeout: 300,
    max_lifetime: 60 * 30,
    connect_timeout: 2,
    // The driver's own back-off grows to 20 s, which would prolong every outage by as much.
    backoff: (attempt: number) => Math.min(0.05 * 2 ** attempt, 1),
    // One statement per connection at a time: nobody waits behind a stranger's slow query.
    max_pipeline: 1,
    onnotice: () => {},
    connection: {
      application_name: name,
      statement_timeout: statementTimeoutMs,
      lock_timeout: Math.min(2000, statementTimeoutMs),
      idle_in_transaction_session_timeout: 10_000,
      ...(isForQueues && BY_INDEX),
    },
  } as postgres.Options<Record<string, never>>)
}

const openGate = ({ max, statementTimeoutMs }: PoolOptions): Gate =>
  gate({ slots: max, waitingMax: max + 200, waitMs: 1500, deadlineMs: statementTimeoutMs + 300 })

type Unsafe = (query: string, parameters?: unknown[]) => unknown

/**
 * What drizzle sees of the driver: every statement goes through the gate and is prepared by name, which
 * saves the second round trip that unnamed ones need.
 */
function prepared(sql: postgres.Sql, doors: Gate): postgres.Sql {
  const send = (query: string, parameters: unknown[]) =>
    sql.unsafe(query, parameters as never[], { prepare: !isPlannedAnew(query) })
  const outside = (query: string, parameters: unknown[] = []) => {
    // Whoever holds one connection and waits for another can wait for ever, together with all others who do.
    if (insideTransaction.getStore())
      throw new Error('Inside a transaction every statement goes through its tx')
    return lazy(
      () => doors.run(() => send(query, parameters)),
      () => doors.run(() => send(query, parameters).values()),
    )
  }
  const begin = (work: (tx: postgres.TransactionSql) => Promise<unknown>) =>
    doors.stages((stage) => sql.begin((tx) => stage(() => work(inside(tx, doors)))) as Promise<unknown>)
  return facade(sql, { unsafe: outside as Unsafe, begin })
}

/**
 * A search is planned for what was typed: a plan for any text at all would walk through everyone to find a rare
 * name. Everything else keeps its plan.
 */
const isPlannedAnew = (query: string) => query.includes(' like $')

function inside(tx: postgres.TransactionSql, doors: Gate): postgres.TransactionSql {
  const unsafe = (query: string, parameters: unknown[] = []) =>
    lazy(
      () => doors.deadline(tx.unsafe(query, parameters as never[], { prepare: true })),
      () => doors.deadline(tx.unsafe(query, parameters as never[], { prepare: true }).values()),
    )
  const savepoint = (work: (nested: postgres.TransactionSql) => Promise<unknown>) =>
    tx.savepoint((nested) => work(inside(nested, doors)))
  return facade(tx, { unsafe: unsafe as Unsafe, savepoint })
}

const facade = <T extends object>(target: T, replaced: Record<string, unknown>): T =>
  new Proxy(target, {
    get: (_, key) => (Object.hasOwn(replaced, key) ? replaced[key as string] : Reflect.get(target, key)),
  })

/** Drizzle either awaits a statement or asks for its `values()`: nothing runs before it has chosen. */
const lazy = <T>(rows: () => Promise<T>, values: () => Promise<unknown>) => ({
  // biome-ignore lint/suspicious/noThenProperty: this is the driver's own interface, a query that runs when awaited.
  then: (resolve: (value: T) => unknown, reject: (reason: unknown) => unknown) => {
    statements += 1
    return rows().then(resolve, reject)
  },
  values: () => {
    statements += 1
    return values()
  },
})
