import { nowMs } from '@/core/clock'
import { db } from '@/db/client'
import { findVersion, recordVersion } from './queries'

/** How many feeds are written down. Strangers may invent filters: those find the room full while others still have some. */
const FEEDS_MAX = 200_000
const FILTERED_MAX = 5000

/**
 * When a feed got the bytes that it has. It is written down for all processes: the events in it cannot tell when others
 * left. A feed that is not written down has changed just now, which costs a reader no more than reading it again.
 */
export async function changedAt(address: string, etag: string, isFiltered: boolean): Promise<number> {
  const key = new Bun.CryptoHasher('sha256').update(address).digest()
  const known =
    (await findVersion(key, etag)) ??
    (await recordVersion(db, key, etag, isFiltered ? FILTERED_MAX : FEEDS_MAX))
  return Math.floor((known?.getTime() ?? nowMs()) / 1000) * 1000
}
