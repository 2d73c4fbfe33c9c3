import { config } from '@/config/config'
import { queueDb } from '@/db/client'
import { keepAllowance } from './allowance'
import { startLane } from './lane'
import { push } from './push'
import { claimPushes, claimRequests } from './queries'
import { verify } from './verify'

const LOOK_MS = 1000
/** Strangers choose whom we ask, so those who are asked are few at once. */
const ASKED = { atOnce: 32, each: 2 }
const TOLD = { atOnce: 64, each: 16 }
const FAILING = { atOnce: 16, each: 1 }

const MB = 1_000_000
/** Of each process: what is more waits, and is sent as it is by then. */
const BYTES = {
  all: { perSecond: 8 * MB, atOnce: 32 * MB },
  ofHost: { perSecond: 2 * MB, atOnce: 8 * MB },
}

/**
 * The hub's work: asking callbacks what they want, and telling them. Any number of processes may do it. There is none where
 * feeds name another hub: whoever subscribed to ours would hear twice.
 */
export function startHub({ lookMs = LOOK_MS, bytes = BYTES } = {}): { stop(): Promise<void> } {
  if (!config.hub.isOwn) return { stop: async () => {} }
  const allowance = keepAllowance(bytes)
  const lanes = [
    startLane({
      name: 'websub requests',
      ...ASKED,
      lookMs,
      claim: (claim) => claimRequests(queueDb, claim),
      allowance,
      run: verify,
    }),
    startLane({
      name: 'websub',
      ...TOLD,
      lookMs,
      claim: (claim) => claimPushes(queueDb, claim, false),
      allowance,
      run: push,
    }),
    startLane({
      name: 'websub retries',
      ...FAILING,
      lookMs,
      claim: (claim) => claimPushes(queueDb, claim, true),
      allowance,
      run: push,
    }),
  ]
  return {
    stop: async () => void (await Promise.all(lanes.map((lane) => lane.stop()))),
  }
}
