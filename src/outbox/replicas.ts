import { sql } from 'drizzle-orm'
import { databaseUrls } from '@/config/database-address'
import { isAppError } from '@/core/errors'
import { log } from '@/core/log'
import { gauge } from '@/core/metrics'
import { reasonOf } from '@/core/reason'
import { connectReplica, type Db, db } from '@/db/client'
import { isConnected, onGap, subscribe } from './bus'

/**
 * Reads public data from replicas. Caches refill after an invalidation and keep the result, so a replica serves a read only if it has
 * replayed everything committed before the last message this process received, its own messages included. Callers therefore read
 * their own writes, and no cache refills with stale data.
 */
type Replica = {
  host: string
  db: Db
  /** Has replayed every commit up to this moment; undefined while it must not be used. */
  currentAt: number | undefined
  /** The last known such moment, or when it was first probed. */
  knownAt: number
  /** The number of messages received by then. */
  received: number
  /** Why it is not used, as last logged. */
  excludedFor: string | undefined
}

type Options = { maxLagSeconds: number; pool: number; statementTimeoutMs: number }

/** The probe interval; a message triggers a probe at once. */
const LOOK_MS = 500
const REST_MS = 20
/** The polling interval while it lags. */
const POLL_MS = 5
const POLL_MAX_MS = 250

let replicas: Replica[] = []
let maxLagMs = 0
let received = 0
let turn = 0
let woken = Promise.withResolvers<void>()

function countMessage() {
  received += 1
  woken.resolve()
  woken = Promise.withResolvers()
}

/** Tracks the replicas of an address, which may name several. */
export function openReplicas(url: string, { maxLagSeconds, pool, statementTimeoutMs }: Options) {
  let isClosed = false
  maxLagMs = maxLagSeconds * 1000
  replicas = databaseUrls(url).map((one) => ({
    host: new URL(one).host,
    db: connectReplica(one, { max: pool, statementTimeoutMs, name: 'folkmoot-replica' }),
    currentAt: undefined,
    knownAt: performance.now(),
    received: 0,
    excludedFor: undefined,
  }))
  const unsubscribe = subscribe(countMessage)
  onGap(countMessage)
  const following = replicas.map(async (replica) => {
    while (!isClosed) {
      await catchUp(replica).catch((error) => exclude(replica, 'it cannot be asked', error))
      await Bun.sleep(REST_MS)
      if (!isClosed && replica.received === received) await Promise.race([woken.promise, Bun.sleep(LOOK_MS)])
    }
  })
  return {
    async close() {
      isClosed = true
      unsubscribe()
      countMessage()
      await Promise.all(following)
      replicas = []
    },
  }
}

/** Reads from a replica that is current, otherwise from the primary. `work` may run twice. */
export function readPublic<T>(work: (db: Db) => Promise<T>): Promise<T> {
  const replica = replicas.length === 0 ? undefined : choose()
  return replica === undefined ? work(db) : readFrom(replica, work)
}

async function readFrom<T>(replica: Replica, work: (db: Db) => Promise<T>): Promise<T> {
  try {
    return await work(replica.db)
  } catch (error) {
    if (isAppError(error) && error.appCode !== 'unavailable') throw error
    exclude(replica, 'it cannot be asked', error)
    return work(db)
  }
}

function choose(): Replica | undefined {
  if (!isConnected()) return undefined
  for (let tried = 0; tried < replicas.length; tried += 1) {
    turn = (turn + 1) % replicas.length
    const replica = replicas[turn] as Replica
    if (isUsable(replica)) return replica
  }
  return undefined
}

const isUsable = ({ currentAt, received: then }: Replica) =>
  currentAt !== undefined && then === received && performance.now() - currentAt < maxLagMs

/** Waits until a replica has replayed everything committed before the messages received so far. */
async function catchUp(replica: Replica): Promise<void> {
  // Without the notify channel, commits of other processes are unknown.
  if (!isConnected()) {
    replica.currentAt = undefined
    return
  }
  const [at, then] = [performance.now(), received]
  const [primary] = await db.execute<{ position: string; system: string }>(
    sql`select pg_current_wal_insert_lsn()::text as position, system_identifier::text as system from pg_control_system()`,
  )
  for (let pauseMs = POLL_MS; ; pauseMs = Math.min(pauseMs * 2, POLL_MAX_MS)) {
    const [found] = await replica.db.execute<{ standby: boolean; system: string; there: boolean }>(sql`
      select pg_is_in_recovery() as standby, system_identifier::text as system,
        coalesce(pg_last_wal_replay_lsn() >= ${primary?.position}::pg_lsn, false) as there
      from pg_control_system()`)
    if (!found?.standby || found.system !== primary?.system)
      return exclude(replica, 'it is no standby of this database')
    if (found.there) return putToUse(replica, at, then)
    if (performance.now() - at > maxLagMs) return exclude(replica, 'it is behind')
    await Bun.sleep(pauseMs)
  }
}

function putToUse(replica: Replica, at: number, then: number) {
  if (replica.excludedFor !== undefined) log.info('database: a replica is used again', { host: replica.host })
  Object.assign(replica, { currentAt: at, knownAt: at, received: then, excludedFor: undefined })
}

function exclude(replica: Replica, why: string, error?: unknown) {
  replica.currentAt = undefined
  if (replica.excludedFor === why) return
  replica.excludedFor = why
  log.warn('database: a replica is not used', {
    host: replica.host,
    why,
    ...(error !== undefined && reasonOf(error)),
  })
}

gauge('folkmoot_database_replica_usable', 'Whether public lists may be read from a replica now.', () =>
  replicas.map((replica) => [{ host: replica.host }, isUsable(replica) ? 1 : 0]),
)
gauge(
  'folkmoot_database_replica_staleness_seconds',
  'How old at most what a replica says is, also while it is not read.',
  () => replicas.map(({ host, knownAt }) => [{ host }, (performance.now() - knownAt) / 1000]),
)
