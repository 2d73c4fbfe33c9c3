import { nowMs } from '@/core/clock'
import { isConnected, onGap } from '@/outbox/bus'

const PAIRS_MAX = 100_000
/** A record of a stranger may be gone before its time: after this the next tap makes another. */
const MAX_AGE_MS = 30 * 60_000

let young = new Set<string>()
let old = new Set<string>()
let bornAt = 0

/** A stranger and an owner, by the value of the cookie. */
export const pairOf = (stranger: string, ownerId: string) => stranger + ownerId

/** Whether a tap of this pair was recorded a while ago, so that it costs no write. */
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
  // What is older than both generations is asked for again.
  old = nowMs() - bornAt >= 2 * MAX_AGE_MS ? new Set() : young
  young = new Set()
  bornAt = nowMs()
}

onGap(() => {
  young.clear()
  old.clear()
})
