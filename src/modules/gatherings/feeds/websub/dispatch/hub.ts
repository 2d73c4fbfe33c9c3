import { config } from '@/config/config'
import { now, nowMs } from '@/core/clock'
import { newId } from '@/core/ids'
import { queueDb } from '@/db/client'
import { startLane } from '@/delivery/engine'
import { keepAllowance } from './allowance'
import { push } from './push'
import { type Claim, claimPushes, claimRequests, LEASE_MS, type Lease } from './queries'
import { verify } from './verify'

/** Strangers choose whom we ask, so those who are asked are few at once. */
const ASKED = { name: 'websub requests', atOnce: 32, each: 2 }
const TOLD = { name: 'websub', atOnce: 64, each: 16 }
const FAILING = { name: 'websub retries', atOnce: 16, each: 1 }
/** Pushes that finish shortly after each other are replaced by one claim. */
const GATHER_MS = 20
/** Longer than a callback may take to answer. */
const STOP_MS = 15_000

const MB = 1_000_000
/** Of each process: what is more waits, and is sent as it is by then. */
const BYTES = {
  all: { perSecond: 8 * MB, atOnce: 32 * MB },
  ofHost: { perSecond: 2 * MB, atOnce: 8 * MB },
}

type Row = { id: string; callbackHost: string; bytes?: number }

type Work<R extends Row> = {
  claim: (claim: Claim) => Promise<R[]>
  /** Says how many bytes it sent. */
  run: (row: R, lease: Lease) => Promise<number>
}

/**
 * The hub's work: asking callbacks what they want, and telling them. Any number of processes may do it. There is none where
 * feeds name another hub: subscribers of ours would get each change twice.
 */
export function startHub({ pollMs, bytes = BYTES }: { pollMs?: number; bytes?: typeof BYTES } = {}) {
  if (!config.hub.isOwn) return { stop: async () => {} }
  const owner = newId()
  const allowance = keepAllowance(bytes)

  /** So many rows at once, and so many for one host: one that is slow, or has much, holds up no other. */
  function start<R extends Row>({ each, ...terms }: typeof TOLD, { claim, run }: Work<R>) {
    let claimedAt = 0
    return startLane<R>({
      ...terms,
      wakesOn: ({ type }) => type === 'feeds.due',
      pollMs,
      gatherMs: GATHER_MS,
      stopMs: STOP_MS,
      keyOf: ({ callbackHost }) => callbackHost,
      async claim(capacity) {
        const allowed = allowance.left()
        if (allowed.all <= 0) return []
        const leaseUntil = new Date(nowMs() + LEASE_MS)
        const rows = await claim({ at: now(), leaseOwner: owner, leaseUntil, each, allowed, ...capacity })
        claimedAt = performance.now()
        return rows
      },
      async run(row) {
        const { callbackHost: host, bytes: expected = 0 } = row
        allowance.spend(host, expected)
        allowance.spend(host, (await run(row, { owner, claimedAt })) - expected)
      },
    })
  }

  const lanes = [
    start(ASKED, { claim: (claim) => claimRequests(queueDb, claim), run: verify }),
    start(TOLD, { claim: (claim) => claimPushes(queueDb, claim, false), run: push }),
    start(FAILING, { claim: (claim) => claimPushes(queueDb, claim, true), run: push }),
  ]
  return { stop: async () => void (await Promise.all(lanes.map((lane) => lane.stop()))) }
}
