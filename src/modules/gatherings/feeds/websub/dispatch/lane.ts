import { now, nowMs } from '@/core/clock'
import { newId } from '@/core/ids'
import { warnSparingly } from '@/core/log'
import { reasonOf } from '@/core/reason'
import { keepShares } from '@/outbound/shares'
import { subscribe } from '@/outbox/bus'
import type { Allowance, Allowed } from './allowance'

/** Longer than a piece of work takes. A process that dies leaves its leases, which run out. */
export const LEASE_MS = 30_000
/** Pieces that end shortly after each other make room for as many at once. */
const GATHER_MS = 20

export type Claim = {
  at: Date
  leaseOwner: string
  leaseUntil: Date
  limit: number
  /** For one host at once, and how many of each are under way. */
  each: number
  busy: Record<string, number>
  allowed: Allowed
}

type Piece = { id: string; callbackHost: string; bytes?: number }

type Terms<P extends Piece> = {
  name: string
  atOnce: number
  each: number
  lookMs: number
  claim: (claim: Claim) => Promise<P[]>
  allowance: Allowance
  /** `claimedAt` is a time of `performance`: what was true when the piece was due, was so by then. Says how many bytes it sent. */
  run: (piece: P, lease: { owner: string; claimedAt: number }) => Promise<number>
}

/**
 * Works off what is due, so many pieces at once and so many for one host: one that is slow, or has much, holds up no other.
 * A broadcast wakes it; a look every second finds what nobody woke it for. What fails on our side is left to its lease.
 */
export function startLane<P extends Piece>({ name, atOnce, each, lookMs, claim, allowance, run }: Terms<P>) {
  const leaseOwner = newId()
  const hosts = keepShares(each)
  const running = new Set<Promise<void>>()
  let mayHaveMore = false
  let stopped = false
  let wake = () => {}

  async function look() {
    const limit = atOnce - running.size
    const allowed = allowance.left()
    if (limit <= 0 || allowed.all <= 0) return
    const leaseUntil = new Date(nowMs() + LEASE_MS)
    const pieces = await claim({
      at: now(),
      leaseOwner,
      leaseUntil,
      limit,
      each,
      busy: hosts.all(),
      allowed,
    })
    mayHaveMore = pieces.length > 0
    const claimedAt = performance.now()
    for (const piece of pieces) begin(piece, claimedAt)
  }

  function begin(piece: P, claimedAt: number) {
    const { callbackHost: host, bytes: expected = 0 } = piece
    hosts.take(host)
    allowance.spend(host, expected)
    const work = run(piece, { owner: leaseOwner, claimedAt })
      .then((sent) => allowance.spend(host, sent - expected))
      .catch((error) => warnSparingly(`${name}: something is left for later`, reasonOf(error)))
      .finally(() => {
        running.delete(work)
        hosts.giveBack(host)
        if (mayHaveMore) wake()
      })
    running.add(work)
  }

  async function loop() {
    while (!stopped) {
      const woken = new Promise<void>((resolve) => {
        wake = resolve
      })
      await look().catch((error) => warnSparingly(`${name}: cannot look for what is due`, reasonOf(error)))
      await Promise.race([woken, Bun.sleep(lookMs)])
      if (!stopped) await Bun.sleep(GATHER_MS)
    }
  }
  const looking = loop()
  const unsubscribe = subscribe((messages) => {
    if (messages.some(({ type }) => type === 'feeds.due')) wake()
  })

  return {
    /** Waits for what is under way. */
    async stop() {
      stopped = true
      unsubscribe()
      wake()
      await looking
      await Promise.all(running)
    },
  }
}
