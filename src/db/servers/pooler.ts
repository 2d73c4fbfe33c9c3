import { directUrlOf } from '@/config/database-address'
import { ConfigError } from '@/config/error'
import { patientTimeout } from '@/core/patience'
import { isPooled, LOOK, type Look, openForLook } from './look'
import { primaryOf } from './primary'

/** The kind of pooler, by what a session keeps from one transaction to the next. */
export type Pooler = 'none' | 'session' | 'transaction' | 'statement'

const ROUNDS = 5
const PATIENCE_MS = 3000

const known = new Map<string, Pooler>()
const searches = new Map<string, Promise<Pooler>>()

/** The pooler of an address: none until a connection has detected it. */
export const knownPooler = (url: string): Pooler => known.get(url) ?? 'none'

/** Detects the pooler of an address. Concurrent callers share one probe. */
export function findPooler(url: string): Promise<Pooler> {
  const searching = searches.get(url) ?? search(url).finally(() => searches.delete(url))
  searches.set(url, searching)
  return searching
}

async function search(url: string): Promise<Pooler> {
  const pooler = await probe(url)
  known.set(url, pooler)
  return pooler
}

/**
 * PostgreSQL gives each connection its own process. Behind a pooler that shares them, a second connection gets the process of the
 * first sooner or later, usually at once.
 */
async function probe(url: string): Promise<Pooler> {
  const address = await primaryOf(url)
  const [first, second] = [openForLook(address), openForLook(address)]
  const processOf = async (client: typeof first) => ((await client.unsafe(LOOK)) as unknown as [Look])[0].pid
  try {
    if (!isPooled(await first.unsafe(LOOK))) return 'none'
    try {
      await first.unsafe('begin')
      await first.unsafe('commit')
    } catch (error) {
      // A statement pooler closes the connection on a transaction, with or without an error.
      if (/^(08P01|CONNECTION_CLOSED)$/.test((error as { code?: string }).code ?? '')) return 'statement'
      throw error
    }
    const ofFirst = new Set<number>()
    for (let round = 0; round < ROUNDS; round += 1) {
      ofFirst.add(await processOf(first))
      const begun = second.unsafe('begin').then(() => processOf(second))
      begun.catch(() => {})
      const ofSecond = await Promise.race([begun, afterPatience()])
      // Only a session pooler, which reserves the idle first process, has none left for the second.
      if (ofSecond === undefined) return 'session'
      if (ofFirst.has(ofSecond)) return 'transaction'
      ofFirst.add(await processOf(first))
      await second.unsafe('commit')
      if (ofFirst.size > 1) return 'transaction'
    }
    return 'session'
  } finally {
    for (const client of [first, second]) void client.end({ timeout: 0 })
  }
}

/** A slow pooler must not be mistaken for one without a free process. */
const afterPatience = () =>
  new Promise<undefined>((resolve) => patientTimeout(PATIENCE_MS, () => resolve(undefined)))

/** Refuses addresses over which some features would fail. `url` is that of requests. */
export async function requireCompatiblePoolers(url: string): Promise<void> {
  const past = directUrlOf(url)
  const [pooler, before] = await Promise.all([findPooler(url), past === undefined ? null : findPooler(past)])
  const sentence = refusalOfPoolers(pooler, before)
  if (sentence !== undefined) throw new ConfigError(sentence)
  if (past !== undefined && (await databaseAt(url)) !== (await databaseAt(past)))
    throw new ConfigError(
      'DATABASE_DIRECT_URL leads to another database than DATABASE_URL: set it to the one behind the pooler.',
    )
}

/** Unique per database. */
async function databaseAt(url: string): Promise<string> {
  const client = openForLook(await primaryOf(url))
  try {
    const [row] = await client.unsafe(
      "select concat_ws(' ', extract(epoch from pg_postmaster_start_time()), current_database()) as name",
    )
    return String(row?.name)
  } finally {
    void client.end({ timeout: 0 })
  }
}

/** The error for poolers at DATABASE_URL and, if set, DATABASE_DIRECT_URL. */
export function refusalOfPoolers(pooler: Pooler, before: Pooler | null): string | undefined {
  if (pooler === 'statement')
    return 'DATABASE_URL leads to a pooler in statement mode, in which there are no transactions: set its pool_mode to session or transaction.'
  if (before === 'transaction' || before === 'statement')
    return `DATABASE_DIRECT_URL leads to a pooler in ${before} mode, which cannot LISTEN or hold locks: set it to PostgreSQL itself.`
  if (pooler === 'transaction' && before === null)
    return 'DATABASE_URL leads to a pooler in transaction mode, which cannot LISTEN or hold locks: set DATABASE_DIRECT_URL to PostgreSQL itself.'
}
