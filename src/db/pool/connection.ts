import type { Socket } from 'node:net'
import postgres from 'postgres'
import { type DatabaseAddress, wantsWrites } from '@/config/database-address'
import { unavailableBy } from '@/core/errors'
import { patience, patientTimeout } from '@/core/patience'
import { hold } from '../servers/held'
import { isPooled, LOOK } from '../servers/look'
import { findPooler, knownPooler, type Pooler } from '../servers/pooler'
import { forgetPrimary, primaryOf } from '../servers/primary'
import { dial, type Place } from './dial'

export type ConnectionOptions = {
  statementTimeoutMs: number
  name: string
  /** See `queueDb`. */
  isForQueues?: boolean
}

/** How values are read and written, as drizzle wants it. */
export type Types = { parsers: Record<string, unknown>; serializers: Record<string, unknown> }
export type Statement = postgres.PendingQuery<postgres.Row[]>

/**
 * One connection to PostgreSQL. It belongs to the holder of its seat and is never mended: once it was closed, or once
 * nobody knows what became of a statement, it is thrown away and another one is opened. The driver's own pool would
 * dial again under the same name, with bytes and transactions of others still on it.
 */
export type Connection = {
  /** Its session is another one in the next transaction: a pooler in transaction mode stands before PostgreSQL. */
  isShared: boolean
  /** Begins a transaction, with the settings that a shared session cannot keep. */
  begin(): string
  /** Sets the time limits of its session, where they are those of a process that was starved, or is by now. */
  limits(): string | undefined
  send(text: string, parameters?: unknown[], isNamed?: boolean): Statement
  isUsable(): boolean
  /** Closes it: statements under way fail at once, and PostgreSQL rolls their transaction back. */
  discard(): void
}

const OPEN_MS = 2000

/** Plans that go by an index and in its order. */
export const BY_INDEX = {
  enable_seqscan: 'off',
  enable_bitmapscan: 'off',
  enable_sort: 'off',
  plan_cache_mode: 'force_generic_plan',
}

/** Opens a connection the way PostgreSQL itself takes it; if a pooler is met instead, once more the way that takes. */
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

/** Thrown on meeting a pooler that nobody knew of. */
class PoolerMet extends Error {}

/** A pooler refuses a connection that begins with settings, unless it was told to ignore them. */
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
    // The driver stops listening with the end of a connection; an error that nobody hears would end the process.
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
        // A name that one session was given is unknown in the next.
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
