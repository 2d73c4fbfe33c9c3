import type { Socket } from 'node:net'
import postgres from 'postgres'
import { databaseAddress } from '@/config/database-address'
import { unavailable } from '@/core/errors'
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

export async function openConnection(
  url: string,
  options: ConnectionOptions,
  types: Types,
): Promise<Connection> {
  let isUsable = true
  let socket: Promise<Socket> | undefined
  const discard = () => {
    if (!isUsable) return
    isUsable = false
    // The driver stops listening with the end of a connection; an error that nobody hears would end the process.
    socket?.then((open) => open.on('error', () => {}).destroy()).catch(() => {})
    void client.end({ timeout: 0 })
  }
  const dialOnce = (place: Place) => {
    if (socket || !isUsable) throw unavailable()
    socket = dial(place)
    return socket
  }
  const client = openClient(url, options, { onclose: discard, socket: dialOnce })
  Object.assign(client.options.parsers, types.parsers)
  Object.assign(client.options.serializers, types.serializers)

  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(unavailable()), OPEN_MS)
  try {
    await Promise.race([client.unsafe('select 1'), late])
    const connection = await client.reserve()
    return {
      isUsable: () => isUsable,
      discard,
      send: (text, parameters = [], isNamed = false) =>
        connection.unsafe(text, parameters as never[], { prepare: isNamed }),
    }
  } catch (error) {
    discard()
    throw error
  } finally {
    clearTimeout(timer)
  }
}

const openClient = (
  url: string,
  { statementTimeoutMs, name, isForQueues = false }: ConnectionOptions,
  ways: { onclose(): void; socket(place: Place): Promise<Socket> },
): postgres.Sql => {
  const { address, ssl } = databaseAddress(url)
  return postgres(address, {
    ...ways,
    max: 1,
    ssl,
    // The seat decides how long a connection lives.
    idle_timeout: null,
    max_lifetime: null,
    onnotice: () => {},
    connection: {
      application_name: name,
      statement_timeout: statementTimeoutMs,
      lock_timeout: Math.min(2000, statementTimeoutMs),
      idle_in_transaction_session_timeout: 10_000,
      ...(isForQueues && BY_INDEX),
    },
  } as unknown as postgres.Options<Record<string, never>>)
}
