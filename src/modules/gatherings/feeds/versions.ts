import { nowMs } from '@/core/clock'
import { db } from '@/db/client'
import { findVersion, recordVersion } from './queries'

/** Row limits. Filtered feeds stop being recorded first, because clients can request any number of filters. */
const FEEDS_MAX = 200_000
const FILTERED_MAX = 5000

/**
 * When the feed's current bytes first appeared. Stored for all processes, because the remaining events do not reveal when others
 * left. An unrecorded feed counts as changed now, which costs a reader one more download.
 */
export async function changedAt(address: string, etag: string, isFiltered: boolean): Promise<number> {
  const key = new Bun.CryptoHasher('sha256').update(address).digest()
  const known =
    (await findVersion(key, etag)) ??
    (await recordVersion(db, key, etag, isFiltered ? FILTERED_MAX : FEEDS_MAX))
  return Math.floor((known?.getTime() ?? nowMs()) / 1000) * 1000
}
