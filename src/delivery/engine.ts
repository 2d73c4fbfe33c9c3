import type { BusMessage } from '@/core/domain-events'
import { log, warnSparingly } from '@/core/log'
import { reasonOf } from '@/core/reason'
import { keepShares } from '@/outbound/shares'
import { subscribe } from '@/outbox/bus'

/** A poll this often finds rows whose wake-up was lost. */
const POLL_MS = 1000
/** Work may outlast a stop. Its lease then expires, and another process begins it again. */
const STOP_MS = 5000
const PROBE_MIN_MS = 1000
const PROBE_MAX_MS = 30_000

export type Running = { wake(): void; stop(): Promise<void> }

/** Sleeps, unless the loop stops meanwhile. Says whether it goes on. */
type Pause = (ms: number) => Promise<boolean>

type Loop = {
  /** For the log. */
  name: string
  /** Messages of the bus after which work may be due. */
  wakesOn: (message: BusMessage) => boolean
  pollMs?: number
  /** A pause before each look, so that one claim replaces rows that finish shortly after each other. */
  gatherMs?: number
  /** How long `stop` waits for work in progress. */
  stopMs?: number
}

type Looking = Loop & {
  look: (pause: Pause) => Promise<unknown>
  /** Awaited by `stop`. */
  finish?: () => Promise<unknown>
}

/** Looks for due work at the start, when woken, and every second. */
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
      await look(pause).catch((error) =>
        warnSparingly(`${name}: cannot look for what is due`, reasonOf(error)),
      )
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

/** What a claim may take: `limit` rows, with `busy` rows of each key in progress. */
export type Capacity = { limit: number; busy: Record<string, number> }

export type Lane<Row> = Loop & {
  /** Rows in progress at once. */
  atOnce: number
  /** Rows with the same key share what `claim` allows for one key, so that none holds up the others. */
  keyOf?: (row: Row) => string
  /** Takes due rows by a lease. */
  claim: (capacity: Capacity) => Promise<Row[]>
  /** Does the work and records its outcome. False means that the other side serves no row at present. */
  run: (row: Row) => Promise<unknown>
  /** The side that may be away. Until its probe answers true, no row is claimed. */
  otherSide?: { name: string; isThere: () => Promise<boolean> }
}

/** Works off rows that are due. A row whose work fails on our side is left to its lease. */
export function startLane<Row>(lane: Lane<Row>): Running {
  const { name, atOnce, keyOf = () => '', otherSide } = lane
  const busy = keepShares(atOnce)
  const inProgress = new Set<Promise<void>>()
  let mayHaveMore = false
  let isAway = false

  function begin(row: Row) {
    const key = keyOf(row)
    busy.take(key)
    const work = lane
      .run(row)
      .then((isServed) => {
        isAway ||= isServed === false
      })
      .catch((error) => warnSparingly(`${name}: something is left for later`, reasonOf(error)))
      .finally(() => {
        inProgress.delete(work)
        busy.giveBack(key)
        if (mayHaveMore) loop.wake()
      })
    inProgress.add(work)
  }

  /** Says whether to go on. */
  async function waitForOtherSide(pause: Pause): Promise<boolean> {
    log.warn(`${name}: ${otherSide?.name} is away, work waits`)
    await Promise.all(inProgress)
    for (let waitMs = PROBE_MIN_MS; await pause(waitMs); waitMs = Math.min(waitMs * 2, PROBE_MAX_MS))
      if (await otherSide?.isThere()) {
        isAway = false
        log.info(`${name}: ${otherSide?.name} is back`)
        return true
      }
    return false
  }

  const loop = startLoop({
    ...lane,
    async look(pause) {
      if (isAway && !(await waitForOtherSide(pause))) return
      const limit = atOnce - inProgress.size
      if (limit <= 0) return
      const rows = await lane.claim({ limit, busy: busy.all() })
      // Rows of a key that has its share are passed over, and are claimed when one of the key is done.
      mayHaveMore = rows.length > 0 || (lane.keyOf !== undefined && inProgress.size > 0)
      for (const row of rows) begin(row)
    },
    finish: () => Promise.all(inProgress),
  })
  return loop
}

/** Claims rows once and works them off, without a loop. Gives what each `run` gave. */
export const runDue = async <Row>({ claim, run, atOnce }: Lane<Row>): Promise<unknown[]> =>
  Promise.all((await claim({ limit: atOnce, busy: {} })).map(run))
