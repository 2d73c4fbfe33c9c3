import { nowMs } from '@/core/clock'
import type { Budget, Verdict } from './limiter'

/** Addresses per generation. Beyond this the older generation is dropped early. */
const KEYS_MAX = 100_000

/**
 * At most `limit` hits in any interval of `windowMs`: stores the times of the last hits per key. Idle keys are dropped with their
 * generation.
 */
export function slidingTable(keysMax = KEYS_MAX) {
  let young = new Map<string, number[]>()
  let old = new Map<string, number[]>()
  let bornAt = 0

  function timesOf(key: string, windowMs: number, at: number): number[] {
    if (at - bornAt >= windowMs || young.size >= keysMax) {
      // After two idle windows neither generation counts.
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
    // The reset is when the oldest hit leaves the window.
    const resetAtMs = (times[0] as number) + windowMs
    return { allowed, limit, remaining: Math.max(0, limit - times.length), resetAtMs }
  }
}
