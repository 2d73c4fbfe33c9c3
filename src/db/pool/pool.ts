import { unavailable } from '@/core/errors'
import { isUnreachable } from '../conflicts'
import { type Connection, type ConnectionOptions, openConnection, type Types } from './connection'
import { adjustLimits, inTransaction, type Send, statementOn } from './on-connection'
import { type SeatFigures, seats } from './seats'
import { borrowing, shares } from './shares'

const WAIT_MS = 1500
const IDLE_MS = 300_000
const LIFE_MS = 30 * 60_000
const TIDY_MS = 30_000
/** After a failed attempt to connect there is none for 50 to 400 ms. */
const QUIET_MS = 25
const QUIET_STEPS = 4
/** What one caller, and the changes of one thing, may hold of the connections. */
const CALLER_SHARE = 0.3
const THING_SHARE = 0.2
const SHARE_WAITING_MAX = 500
const SHARE_WAIT_MS = 3000

export type PoolOptions = ConnectionOptions & {
  max: number
  /** How long somebody waits for a connection; what people wait for is refused soon. */
  waitMs?: number
  onWaited?: (seconds: number) => void
}

export type Pool = {
  statement: Send
  transaction<T>(work: (send: Send) => Promise<T>): Promise<T>
  close(): Promise<void>
  figures(): SeatFigures & {
    connections: number
    failures: number
    overShare: number
    waitingForShare: number
  }
}

type Seat = { connection: Connection | undefined; openedAt: number; usedAt: number }

/** Connections to one database. The holder of a seat has its connection alone, from the first statement to the last. */
export function openPool(
  url: string,
  options: PoolOptions,
  types: Types,
  isNamed: (text: string) => boolean,
): Pool {
  const { max, statementTimeoutMs, waitMs = WAIT_MS, onWaited } = options
  const terms = { deadlineMs: statementTimeoutMs + 300, isNamed }
  const all = Array.from({ length: max }, (): Seat => ({ connection: undefined, openedAt: 0, usedAt: 0 }))
  const room = seats({ all, waitingMax: max + 200, waitMs, onWaited })
  const share = shares({
    ofCaller: Math.ceil(max * CALLER_SHARE),
    ofThing: Math.ceil(max * THING_SHARE),
    waitingMax: SHARE_WAITING_MAX,
    waitMs: SHARE_WAIT_MS,
  })
  let isClosed = false

  const takeSeat = () => {
    if (isClosed) throw unavailable()
    return room.take()
  }

  /** The connection of a seat, or a new one when it has none that can be trusted. */
  function connectionOf(seat: Seat): Connection | Promise<Connection> {
    const { connection, openedAt } = seat
    if (connection?.isUsable() && performance.now() - openedAt < LIFE_MS) return connection
    return open(seat)
  }

  let failures = 0
  let failuresInAll = 0
  let lastFailure: unknown
  let quietUntil = 0

  async function open(seat: Seat): Promise<Connection> {
    clear(seat)
    // Hundreds of attempts at once would only slow down a server that is starting.
    if (performance.now() < quietUntil) throw unavailable(lastFailure)
    try {
      seat.connection = await openConnection(url, options, types)
      seat.openedAt = performance.now()
      failures = 0
      return seat.connection
    } catch (error) {
      lastFailure = error
      failuresInAll += 1
      failures = Math.min(failures + 1, QUIET_STEPS)
      quietUntil = performance.now() + QUIET_MS * 2 ** failures
      throw isUnreachable(error) ? unavailable(error) : error
    }
  }

  function leave(seat: Seat) {
    seat.usedAt = performance.now()
    room.giveBack(seat)
  }

  /** Works on a connection, within the shares of the borrower. */
  async function onConnection<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    const entered = share.enter(borrowing.getStore()?.())
    const places = entered instanceof Promise ? await entered : entered
    try {
      const seat = await takeSeat()
      try {
        const connection = await connectionOf(seat)
        await adjustLimits(connection, terms)
        return await work(connection)
      } finally {
        leave(seat)
      }
    } finally {
      share.leave(places)
    }
  }

  const statement: Send = (text, parameters, read) =>
    onConnection((connection) => statementOn(connection, terms)(text, parameters, read))

  const transaction = <T>(work: (send: Send) => Promise<T>): Promise<T> =>
    onConnection((connection) => inTransaction(connection, terms, work))

  const tidying = setInterval(() => {
    const restingSince = performance.now() - IDLE_MS
    for (const seat of room.free()) if (seat.usedAt < restingSince) clear(seat)
  }, TIDY_MS)
  tidying.unref()

  return {
    statement,
    transaction,
    /** Statements under way may finish; none begins. */
    async close() {
      isClosed = true
      clearInterval(tidying)
      await Promise.allSettled(all.map(async () => room.take()))
      all.forEach(clear)
    },
    figures: () => ({
      ...room.figures(),
      overShare: share.refused(),
      waitingForShare: share.waiting(),
      connections: all.filter(({ connection }) => connection?.isUsable()).length,
      failures: failuresInAll,
    }),
  }
}

function clear(seat: Seat) {
  seat.connection?.discard()
  seat.connection = undefined
}
