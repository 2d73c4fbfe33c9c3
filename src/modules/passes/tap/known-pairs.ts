import { nowMs } from '@/core/clock'
import { isConnected, onGap } from '@/outbox/bus'

const PAIRS_MAX = 100_000
/** Records may be deleted early, so the next tap after this writes again. */
const MAX_AGE_MS = 30 * 60_000

let young = new Set<string>()
let old = new Set<string>()
let bornAt = 0

/** `stranger` is the cookie's value. */
export const pairOf = (stranger: string, ownerId: string) => stranger + ownerId

/** Whether this pair's tap is already recorded, which saves the write. */
export function isKnownPair(pair: string): boolean {
  if (nowMs() - bornAt >= MAX_AGE_MS) turn()
  return young.has(pair) || old.has(pair)
}

export function rememberPair(pair: string) {
  if (!isConnected()) return
  if (young.size >= PAIRS_MAX) turn()
  young.add(pair)
}

function turn() {
  // Entries older than two generations are dropped.
  old = nowMs() - bornAt >= 2 * MAX_AGE_MS ? new Set() : young
  young = new Set()
  bornAt = nowMs()
}

onGap(() => {
  young.clear()
  old.clear()
})
