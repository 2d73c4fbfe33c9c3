import { nowMs } from '@/core/clock'
import type { BusMessage } from '@/core/domain-events'
import { isAppError } from '@/core/errors'
import { counters } from '@/core/metrics'
import { readsInTransaction } from '@/db/client'
import { isConnected, onGap, subscribe } from './bus'

const { hit, miss } = counters(
  'folkmoot_cache_reads_total',
  'Reads of what this process may hold, by whether it did.',
  'result',
  ['hit', 'miss'],
)

type Options<V> = {
  max: number
  /** The maximum age of an entry. */
  maxAgeMs?: number
  /** When the clock alone makes a value stale. */
  endsAt?: (value: V) => number
  load: (key: string) => Promise<V>
  /** Drops the entries that a message invalidates. */
  drops: (
    message: BusMessage,
    drop: {
      key(key: string): void
      all(): void
      where(matches: (value: V) => boolean): void
      pending(): void
    },
  ) => void
}

type Entry<V> = { value: V; until: number }

/**
 * Caches loads until a message invalidates them. Concurrent reads of one key share one load. A load that an invalidation overtakes is
 * returned but not cached. Without a connection to the message channel nothing is cached.
 */
export function cache<V>({ max, maxAgeMs = 60_000, endsAt, load, drops }: Options<V>) {
  const entries = new Map<string, Entry<V>>()
  const loading = new Map<string, { promise: Promise<V>; overtaken: boolean }>()

  const drop = {
    key(key: string) {
      entries.delete(key)
      const pending = loading.get(key)
      if (pending) pending.overtaken = true
    },
    all() {
      entries.clear()
      drop.pending()
    },
    where(matches: (value: V) => boolean) {
      for (const [key, { value }] of entries) if (matches(value)) entries.delete(key)
      // Pending loads cannot be compared, so none of them is cached.
      drop.pending()
    },
    /** Pending loads are returned but not cached. */
    pending() {
      for (const pending of loading.values()) pending.overtaken = true
    },
  }

  subscribe((messages) => {
    for (const message of messages) drops(message, drop)
  })
  onGap(drop.all)

  function get(key: string): V | Promise<V> {
    // A transaction reads its own snapshot, so its result must not be cached.
    if (readsInTransaction()) return load(key)
    const entry = entries.get(key)
    if (entry && entry.until > nowMs()) {
      hit.value += 1
      return entry.value
    }
    miss.value += 1
    const pending = loading.get(key)
    if (pending && !pending.overtaken) return pending.promise.catch((error) => loadedAfter(error, key))
    return fill(key)
  }

  /** Retries a load that failed because the caller who started it was over its share of connections. */
  const loadedAfter = (error: unknown, key: string): V | Promise<V> => {
    if (!isAppError(error) || error.appCode !== 'rate_limited') throw error
    return get(key)
  }

  /** The cached value, without loading one. */
  function peek(key: string): V | undefined {
    if (readsInTransaction()) return undefined
    const entry = entries.get(key)
    return entry && entry.until > nowMs() ? entry.value : undefined
  }

  function fill(key: string): Promise<V> {
    const pending = { overtaken: !isConnected(), promise: undefined as unknown as Promise<V> }
    pending.promise = load(key)
      .then((value) => {
        // Misses are not cached: strangers could fill the cache with guesses.
        if (!pending.overtaken && value != null) keep(key, value)
        return value
      })
      .finally(() => {
        if (loading.get(key) === pending) loading.delete(key)
      })
    // Callers get the rejection. With no caller waiting, swallow it to avoid an unhandledRejection.
    pending.promise.catch(() => {})
    loading.set(key, pending)
    return pending.promise
  }

  function keep(key: string, value: V) {
    entries.delete(key)
    if (entries.size >= max) entries.delete(entries.keys().next().value as string)
    const until = nowMs() + maxAgeMs
    entries.set(key, { value, until: endsAt ? Math.min(until, endsAt(value)) : until })
  }

  return { get, peek, drop }
}
