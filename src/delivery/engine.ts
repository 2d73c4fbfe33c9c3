import type { BusMessage } from '@/core/domain-events'
import { log, warnSparingly } from '@/core/log'
import { reasonOf } from '@/core/reason'
import { subscribe } from '@/outbox/bus'

/** Polling finds rows whose wake-up was lost. */
const POLL_MS = 1000
/** The default for `stopMs`. Unfinished work is resumed by another process when its lease expires. */
const STOP_MS = 5000
const PROBE_MIN_MS = 1000
const PROBE_MAX_MS = 30_000

export type Running = { wake(): void; stop(): Promise<void> }

/** Sleeps, unless the loop is stopped. Returns whether to continue. */
type Pause = (ms: number) => Promise<boolean>

type Loop = {
  /** For the log. */
  name: string
  /** Bus messages after which to look again. */
  wakesOn: (message: BusMessage) => boolean
  pollMs?: number
  /** How long to wait before each further claim, so that one claim fills all slots freed meanwhile. */
  gatherMs?: number
  /** How long `stop` waits for work in progress. */
  stopMs?: number
}

type Looking = Loop & {
  look: (pause: Pause) => Promise<unknown>
  /** Awaited by `stop`. */
  finish?: () => Promise<unknown>
}

/** Calls `look` at the start, when woken, and every `pollMs`. */
export function startLoop(loop: Looking): Running {
  const { name, wakesOn, pollMs = POLL_MS, gatherMs = 0, stopMs = STOP_MS, look, finish } = loop
  let isStopped = false
  let wake = () => {}
  let endPause = () => {}

  const pause: Pause = async (ms) => {
    const ended = new Promise<void>((resolve) => {
      endPause = resolve
    })
    if (!isStopped) await Promise.race([ended, Bun.sleep(ms)])
    return !isStopped
  }

  async function run() {
    while (!isStopped) {
      const woken = new Promise<void>((resolve) => {
        wake = resolve
      })
      await look(pause).catch((error) => warnSparingly(`${name}: cannot claim work`, reasonOf(error)))
      await Promise.race([woken, Bun.sleep(pollMs)])
      if (gatherMs > 0) await pause(gatherMs)
    }
    await finish?.()
  }
  const running = run()
  const unsubscribe = subscribe((messages) => {
    if (messages.some(wakesOn)) wake()
  })

  return {
    wake: () => wake(),
    async stop() {
      unsubscribe()
      isStopped = true
      wake()
      endPause()
      await Promise.race([running, Bun.sleep(stopMs)])
    },
  }
}

/** `limit`: the most rows to claim. `busy`: rows already counted against the quota of each key. */
export type Capacity = { limit: number; busy: Record<string, number> }

export type Lane<Row> = Loop & {
  /** Maximum concurrency. */
  atOnce: number
  /** Minimum `limit` of a claim, even above `atOnce`, so that slow keys do not block the others. */
  always?: number
  /** Rows with the same key share a quota, which `claim` enforces. */
  keyOf?: (row: Row) => string
  /** Leases due rows. */
  claim: (capacity: Capacity) => Promise<Row[]>
  /**
   * Does the work and records its outcome. False means that the remote service is down. Call `free` to release the key's
   * quota early; otherwise it is released when `run` ends.
   */
  run: (row: Row, free: () => void) => Promise<unknown>
  /** A remote service that may be down. Nothing is claimed until its probe succeeds. */
  remote?: { name: string; isUp: () => Promise<boolean> }
}

/** Processes due rows. If `run` throws, the lease of the row expires and it is claimed again. */
export function startLane<Row>(lane: Lane<Row>): Running {
  const { name, atOnce, always = 0, keyOf = () => '', remote } = lane
  const busy = new Map<string, number>()
  const inProgress = new Set<Promise<void>>()
  let mayHaveMore = false
  let isDown = false

  function begin(row: Row) {
    const key = keyOf(row)
    const count = (change: number) => busy.set(key, (busy.get(key) ?? 0) + change)
    count(1)
    let isFree = false
    const free = () => {
      if (!isFree) count(-1)
      isFree = true
      if (busy.get(key) === 0) busy.delete(key)
      if (mayHaveMore) loop.wake()
    }
    const work = lane
      .run(row, free)
      .then((succeeded) => {
        isDown ||= succeeded === false
      })
      .catch((error) =>
        warnSparingly(`${name}: work failed, will be retried when its lease expires`, reasonOf(error)),
      )
      .finally(() => {
        inProgress.delete(work)
        free()
      })
    inProgress.add(work)
  }

  /** Returns whether to continue. */
  async function waitForRemote(pause: Pause): Promise<boolean> {
    log.warn(`${name}: ${remote?.name} is down, work waits`)
    await Promise.all(inProgress)
    for (let waitMs = PROBE_MIN_MS; await pause(waitMs); waitMs = Math.min(waitMs * 2, PROBE_MAX_MS))
      if (await remote?.isUp()) {
        isDown = false
        log.info(`${name}: ${remote?.name} is up again`)
        return true
      }
    return false
  }

  const loop = startLoop({
    ...lane,
    async look(pause) {
      if (isDown && !(await waitForRemote(pause))) return
      const notFreed = busy.values().reduce((sum, count) => sum + count, 0)
      const limit = Math.max(atOnce - inProgress.size, always)
      // Claim nothing while more than half of `atOnce` only waits to be recorded: leases would expire first.
      if (limit <= 0 || inProgress.size - notFreed > atOnce / 2) return
      const rows = await lane.claim({ limit, busy: Object.fromEntries(busy) })
      // A key at its quota was skipped; claim again when one of its rows is done.
      mayHaveMore = rows.length > 0 || (lane.keyOf !== undefined && inProgress.size > 0)
      for (const row of rows) begin(row)
    },
    finish: () => Promise.all(inProgress),
  })
  return loop
}

/** Claims once and processes the rows, without a loop. Returns the result of each `run`. */
export const runDue = async <Row>({ claim, run, atOnce }: Lane<Row>): Promise<unknown[]> =>
  Promise.all((await claim({ limit: atOnce, busy: {} })).map((row) => run(row, () => {})))
