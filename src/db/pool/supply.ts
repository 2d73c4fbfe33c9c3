import { unavailable } from '@/core/errors'
import { isUnreachable } from '../conflicts'
import type { Connection } from './connection'
import { seats } from './seats'

const IDLE_MS = 300_000
const LIFE_MS = 30 * 60_000
/** Backoff after failed connects: twice this, doubled up to BACKOFF_STEPS: 50, 100, 200, then always 400 ms. */
const BACKOFF_UNIT_MS = 25
const BACKOFF_STEPS = 4
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
 * Supplies requests with connections. Opens them in the background, at most OPENING_MAX at a time; a request takes the first free
 * one. If each of its first requests opened its own, a new process would answer none until all were open.
 */
export function supply({ max, waitMs, onWaited, connect }: Terms) {
  // At the start no connection is open, so even the first `max` requests wait.
  const queue = seats<Seat>({ all: [], waitingMax: max + 200, waitMs, onWaited })
  const open = new Set<Seat>()
  let isClosed = false
  let opening = 0
  let failures = 0
  let failuresInAll = 0
  let lastFailure: unknown
  let backoffUntil = 0

  function grow() {
    // While backing off, do not connect: attempts would slow down a starting PostgreSQL.
    if (performance.now() < backoffUntil) return rejectWaiting()
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
      failures = Math.min(failures + 1, BACKOFF_STEPS)
      backoffUntil = performance.now() + BACKOFF_UNIT_MS * 2 ** failures
      setTimeout(grow, backoffUntil - performance.now()).unref()
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
      for (let next = queue.next(); next && !isUsable(next); next = queue.next()) close(next)
      const seat = queue.take()
      if (seat instanceof Promise) grow()
      return seat
    },
    giveBack(seat: Seat): void {
      seat.usedAt = performance.now()
      // close() waits for every seat, so an unusable one returns too.
      if (isClosed || isUsable(seat)) {
        queue.giveBack(seat)
        return
      }
      close(seat)
      grow()
    },
    closeIdle(): void {
      const restingSince = performance.now() - IDLE_MS
      for (const seat of queue.free().filter(({ usedAt }) => usedAt < restingSince)) close(seat)
    },
    /** Waits for every seat, at most `waitMs`: running statements may finish, none begins. */
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

const isUsable = ({ connection, openedAt }: Seat) =>
  connection.isUsable() && performance.now() - openedAt < LIFE_MS
