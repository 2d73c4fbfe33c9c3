import { nowMs } from '@/core/clock'
import type { Budget, Verdict } from './limiter'

/** Addresses of one stretch. More than that forget the older stretch early. */
const KEYS_MAX = 100_000

/**
 * At most `limit` hits in any stretch of `windowMs`, wherever it begins: the times of the last hits are kept for each key.
 * Keys that were not hit for a whole stretch are forgotten with the generation that they are in.
 */
export function slidingTable(keysMax = KEYS_MAX) {
  let young = new Map<string, number[]>()
  let old = new Map<string, number[]>()
  let bornAt = 0

  function timesOf(key: string, windowMs: number, at: number): number[] {
    if (at - bornAt >= windowMs || young.size >= keysMax) {
      // Two stretches without a hit leave nothing that counts in either.
      old = at - bornAt >= 2 * windowMs ? new Map() : young
      young = new Map()
      bornAt = at
    }
    let times = young.get(key)
    if (times === undefined) {
      times = old.get(key) ?? []
      young.set(key, times)
    }
    return times
  }

  return ({ key, limit, windowMs }: Budget): Verdict => {
    const at = nowMs()
    const times = timesOf(key, windowMs, at)
    while (times.length > 0 && (times[0] as number) + windowMs <= at) times.shift()
    const allowed = times.length < limit
    if (allowed) times.push(at)
    return slidingVerdict(allowed, limit, times.length, (times[0] as number) + windowMs)
  }
}

/** A place is free again when the oldest hit leaves the stretch. */
export const slidingVerdict = (
  allowed: boolean,
  limit: number,
  used: number,
  resetAtMs: number,
): Verdict => ({ allowed, limit, remaining: Math.max(0, limit - used), resetAtMs })
