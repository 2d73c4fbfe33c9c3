import { connect, type Socket } from 'node:net'
import postgres from 'postgres'
import { type DatabaseAddress, wantsWrites } from '@/config/database-address'
import { unavailableBy } from '@/core/errors'
import { patience, patientTimeout } from '@/core/patience'
import { hold, isPooled, LOOK } from '../servers/look'
import { findPooler, knownPooler, type Pooler } from '../servers/pooler'
import { forgetPrimary, primaryOf } from '../servers/primary'

type Place = { host: string[]; port: number[]; path: string | false }

async function dial({ host: [host = ''], port: [port = 0], path }: Place): Promise<Socket> {
  if (path) return connected(connect(path))
  // The driver verifies the TLS certificate against this name.
  return Object.assign(await connected(connect(port, host)), { host })
}

const connected = (socket: Socket) =>
  new Promise<Socket>((resolve, reject) => {
    socket.once('error', reject)
    socket.once('connect', () => {
      socket.off('error', reject)
      resolve(socket)
    })
  })

export type ConnectionOptions = {
  statementTimeoutMs: number
  name: string
  /** See `queueDb`. */
  isForQueues?: boolean
}

/** How drizzle parses and serializes values. */
export type Types = { parsers: Record<string, unknown>; serializers: Record<string, unknown> }
export type Statement = postgres.PendingQuery<postgres.Row[]>

/**
 * One connection to PostgreSQL, owned by the holder of its seat and never repaired: after a close, or a statement with an unknown
 * outcome, it is discarded for a new one. The driver's own pool would reconnect under the same object, with bytes and
 * transactions of others still on it.
 */
export type Connection = {
  /** A pooler in transaction mode is in between: each transaction may get another session. */
  isShared: boolean
  /** Begins a transaction, with the settings that a shared session cannot keep. */
  begin(): string
  /** Adjusts the session's timeouts when the process becomes starved or recovers. */
  limits(): string | undefined
  send(text: string, parameters?: unknown[], isNamed?: boolean): Statement
  isUsable(): boolean
  /** Closes it: running statements fail at once, and PostgreSQL rolls back. */
  discard(): void
}

const OPEN_MS = 2000

/** Forces plans that use an index and its order. */
export const BY_INDEX = {
  enable_seqscan: 'off',
  enable_bitmapscan: 'off',
  enable_sort: 'off',
  plan_cache_mode: 'force_generic_plan',
}

/** Connects as to PostgreSQL; on detecting a pooler, reconnects in the way it supports. */
export async function openConnection(
  url: string,
  options: ConnectionOptions,
  types: Types,
): Promise<Connection> {
  const terms = { url, options, types }
  try {
    return await openBefore(knownPooler(url), terms)
  } catch (error) {
    if (!isOfPooler(error)) throw error
    return openBefore(await findPooler(url), terms)
  }
}

type Terms = { url: string; options: ConnectionOptions; types: Types }

/** An unexpected pooler was detected. */
class PoolerMet extends Error {}

/** A pooler refuses startup settings unless it is configured to ignore them. */
const isOfPooler = (error: unknown) =>
  error instanceof PoolerMet ||
  ((error as { code?: string }).code === '08P01' && /startup parameter/.test((error as Error).message))

async function openBefore(pooler: Pooler, { url, options, types }: Terms): Promise<Connection> {
  const place = await primaryOf(url)
  let isUsable = true
  let socket: Promise<Socket> | undefined
  const discard = () => {
    if (!isUsable) return
    isUsable = false
    release()
    // The driver removes its listeners on close; a later error without a listener would end the process.
    socket?.then((open) => open.on('error', () => {}).destroy()).catch(() => {})
    void client.end({ timeout: 0 })
  }
  const release = hold(place.address, discard)
  const dialOnce = (at: Place) => {
    if (socket || !isUsable) throw unavailableBy('CONNECTION_CLOSED')
    socket = dial(at)
    return socket
  }
  let patienceOf = patience()
  const settings = settingsOf(options)
  const ways = { onclose: discard, socket: dialOnce }
  const client = openClient(place, options.name, pooler === 'none' ? settings : {}, ways)
  Object.assign(client.options.parsers, types.parsers)
  Object.assign(client.options.serializers, types.serializers)

  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = patientTimeout(OPEN_MS, () => reject(unavailableBy('DATABASE_SILENT')))
  try {
    const rows = await Promise.race([client.unsafe(LOOK), late])
    if (rows[0]?.isReadOnly && wantsWrites(url)) throw unavailableBy('25006')
    if (pooler === 'none' && isPooled(rows)) throw new PoolerMet()
    if (pooler === 'session') await Promise.race([client.unsafe(sets('set', settings)), late])
    const connection = await client.reserve()
    const isShared = pooler === 'transaction'
    return {
      isUsable: () => isUsable,
      discard,
      isShared,
      begin: () => (isShared ? `begin;${sets('set local', settingsOf(options))}` : 'begin'),
      limits() {
        if (isShared || patienceOf === patience()) return undefined
        patienceOf = patience()
        return sets('set', limitsOf(options))
      },
      send: (text, parameters = [], isNamed = false) =>
        // A prepared name is unknown in the next session.
        connection.unsafe(text, parameters as never[], { prepare: isNamed && !isShared }),
    }
  } catch (error) {
    discard()
    forgetPrimary(url)
    throw error
  } finally {
    timer.clear()
  }
}

type Settings = Record<string, string | number>

const limitsOf = ({ statementTimeoutMs }: ConnectionOptions): Settings => ({
  statement_timeout: statementTimeoutMs * patience(),
  lock_timeout: Math.min(2000, statementTimeoutMs) * patience(),
})

const settingsOf = (options: ConnectionOptions): Settings => ({
  ...limitsOf(options),
  idle_in_transaction_session_timeout: 10_000 * patience(),
  ...(options.isForQueues && BY_INDEX),
})

const sets = (how: string, settings: Settings) =>
  Object.entries(settings)
    .map(([name, value]) => `${how} ${name} = ${value}`)
    .join(';')

const openClient = (
  { address, ssl }: DatabaseAddress,
  name: string,
  settings: Settings,
  ways: { onclose(): void; socket(place: Place): Promise<Socket> },
): postgres.Sql =>
  postgres(address, {
    ...ways,
    max: 1,
    ssl,
    // The seat decides how long a connection lives.
    idle_timeout: null,
    max_lifetime: null,
    onnotice: () => {},
    connection: { application_name: name, ...settings },
  } as unknown as postgres.Options<Record<string, never>>)
