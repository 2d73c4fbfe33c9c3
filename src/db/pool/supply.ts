import { unavailable } from '@/core/errors'
import { isUnreachable } from '../conflicts'
import type { Connection } from './connection'
import { seats } from './seats'

const IDLE_MS = 300_000
const LIFE_MS = 30 * 60_000
/** Backoff of 50 to 400 ms after a failed connect. */
const QUIET_MS = 25
const QUIET_STEPS = 4
/** Concurrent connects. */
const OPENING_MAX = 2

type Terms = {
  max: number
  waitMs: number
  onWaited: ((seconds: number) => void) | undefined
  connect: () => Promise<Connection>
}

type Seat = { connection: Connection; openedAt: number; usedAt: number }

/**
 * Supplies requests with connections. They open in the background, a few at a time, and each request takes the first free one: a
 * new process that opened one for each of its first requests would answer none until all were open.
 */
export function supply({ max, waitMs, onWaited, connect }: Terms) {
  const queue = seats<Seat>({ all: [], waitingMax: max + 200, waitMs, onWaited })
  const open = new Set<Seat>()
  let isClosed = false
  let opening = 0
  let failures = 0
  let failuresInAll = 0
  let lastFailure: unknown
  let quietUntil = 0

  function grow() {
    // Hundreds of attempts would slow down a starting server.
    if (performance.now() < quietUntil) return rejectWaiting()
    while (opening < Math.min(OPENING_MAX, queue.waiting(), max - open.size)) void add()
  }

  async function add(): Promise<void> {
    opening += 1
    try {
      const connection = await connect()
      if (isClosed) return connection.discard()
      const now = performance.now()
      const seat = { connection, openedAt: now, usedAt: now }
      failures = 0
      open.add(seat)
      queue.giveBack(seat)
    } catch (error) {
      lastFailure = error
      failuresInAll += 1
      failures = Math.min(failures + 1, QUIET_STEPS)
      quietUntil = performance.now() + QUIET_MS * 2 ** failures
      setTimeout(grow, quietUntil - performance.now()).unref()
    } finally {
      opening -= 1
      grow()
    }
  }

  /** Rejects waiters if no connection is open or opening. */
  function rejectWaiting() {
    if (open.size + opening === 0)
      queue.rejectAll(isUnreachable(lastFailure) ? unavailable(lastFailure) : lastFailure)
  }

  function close(seat: Seat) {
    open.delete(seat)
    queue.remove(seat)
    seat.connection.discard()
  }

  return {
    take(): Seat | Promise<Seat> {
      if (isClosed) throw unavailable()
      for (let next = queue.next(); next && !isFit(next); next = queue.next()) close(next)
      const seat = queue.take()
      if (seat instanceof Promise) grow()
      return seat
    },
    giveBack(seat: Seat): void {
      seat.usedAt = performance.now()
      if (isClosed || isFit(seat)) {
        queue.giveBack(seat)
        return
      }
      close(seat)
      grow()
    },
    /** Closes idle connections. */
    tidy(): void {
      const restingSince = performance.now() - IDLE_MS
      for (const seat of queue.free().filter(({ usedAt }) => usedAt < restingSince)) close(seat)
    },
    /** Running statements may finish; none begins. */
    async close(): Promise<void> {
      isClosed = true
      await Promise.allSettled([...open].map(async () => queue.take()))
      for (const seat of open) close(seat)
    },
    figures: () => ({
      seats: max,
      busy: open.size - queue.free().length,
      waiting: queue.waiting(),
      refused: queue.refused(),
      connections: [...open].filter(({ connection }) => connection.isUsable()).length,
      failures: failuresInAll,
    }),
  }
}

const isFit = ({ connection, openedAt }: Seat) =>
  connection.isUsable() && performance.now() - openedAt < LIFE_MS
