import { unavailable } from '@/core/errors'
import { isUnreachable } from '../conflicts'
import type { Connection } from './connection'
import { seats } from './seats'

const IDLE_MS = 300_000
const LIFE_MS = 30 * 60_000
/** After a failed attempt to connect there is none for 50 to 400 ms. */
const QUIET_MS = 25
const QUIET_STEPS = 4
/** Connections that are being opened at the same time. */
const OPENING_MAX = 2

type Terms = {
  max: number
  waitMs: number
  onWaited: ((seconds: number) => void) | undefined
  connect: () => Promise<Connection>
}

type Seat = { connection: Connection; openedAt: number; usedAt: number }

/**
 * Supplies requests with connections. They are opened beside the requests that wait, a few at a time, and each request takes the
 * first that is free: a new process that opened one for each of its first requests would answer none until all were open.
 */
export function supply({ max, waitMs, onWaited, connect }: Terms) {
  const room = seats<Seat>({ all: [], waitingMax: max + 200, waitMs, onWaited })
  const open = new Set<Seat>()
  let isClosed = false
  let opening = 0
  let failures = 0
  let failuresInAll = 0
  let lastFailure: unknown
  let quietUntil = 0

  /** Opens connections for those who wait. */
  function grow() {
    // Hundreds of attempts at once would only slow down a server that is starting.
    if (performance.now() < quietUntil) return sendAwayInVain()
    while (opening < Math.min(OPENING_MAX, room.waiting(), max - open.size)) void add()
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
      room.giveBack(seat)
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

  /** Without a connection that is open or being opened, those who wait would wait in vain. */
  function sendAwayInVain() {
    if (open.size + opening === 0)
      room.sendAway(isUnreachable(lastFailure) ? unavailable(lastFailure) : lastFailure)
  }

  function close(seat: Seat) {
    open.delete(seat)
    room.remove(seat)
    seat.connection.discard()
  }

  return {
    take(): Seat | Promise<Seat> {
      if (isClosed) throw unavailable()
      for (let next = room.next(); next && !isFit(next); next = room.next()) close(next)
      const seat = room.take()
      if (seat instanceof Promise) grow()
      return seat
    },
    giveBack(seat: Seat): void {
      seat.usedAt = performance.now()
      if (isClosed || isFit(seat)) {
        room.giveBack(seat)
        return
      }
      close(seat)
      grow()
    },
    /** Closes connections that nobody has used for a while. */
    tidy(): void {
      const restingSince = performance.now() - IDLE_MS
      for (const seat of room.free().filter(({ usedAt }) => usedAt < restingSince)) close(seat)
    },
    /** Statements under way may finish; none begins. */
    async close(): Promise<void> {
      isClosed = true
      await Promise.allSettled([...open].map(async () => room.take()))
      for (const seat of open) close(seat)
    },
    figures: () => ({
      seats: max,
      busy: open.size - room.free().length,
      waiting: room.waiting(),
      refused: room.refused(),
      connections: [...open].filter(({ connection }) => connection.isUsable()).length,
      failures: failuresInAll,
    }),
  }
}

/** Whether a connection can be trusted. */
const isFit = ({ connection, openedAt }: Seat) =>
  connection.isUsable() && performance.now() - openedAt < LIFE_MS
