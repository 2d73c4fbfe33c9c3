import { answers } from './answers'
import { type Connection, type ConnectionOptions, openConnection, type Types } from './connection'
import { adjustLimits, inTransaction, type Send, statementOn } from './on-connection'
import { borrowing, shares } from './shares'
import { supply } from './supply'

const WAIT_MS = 1500
const CLOSE_IDLE_MS = 30_000
/** Shares of the connections for one caller, and for changes of one object. */
const CALLER_SHARE = 0.3
const THING_SHARE = 0.2
const SHARE_WAITING_MAX = 500
const SHARE_WAIT_MS = 3000
const SILENT_MS = 2000

export type PoolOptions = ConnectionOptions & {
  max: number
  /** The maximum wait for a connection; requests fail fast. */
  waitMs?: number
  onWaited?: (seconds: number) => void
}

export type Pool = {
  statement: Send
  transaction<T>(work: (send: Send) => Promise<T>): Promise<T>
  close(): Promise<void>
  figures(): ReturnType<ReturnType<typeof supply>['figures']> & { overShare: number; waitingForShare: number }
}

/** Connections to one database. The holder of a connection has it exclusively, from the first statement to the last. */
export function openPool(
  url: string,
  options: PoolOptions,
  types: Types,
  isNamed: (text: string) => boolean,
): Pool {
  const { max, statementTimeoutMs, waitMs = WAIT_MS, onWaited } = options
  const terms = { deadlineMs: statementTimeoutMs + 300, isNamed }
  const connections = supply({
    max,
    waitMs,
    onWaited,
    connect: () => openConnection(url, options, types),
  })
  const share = shares({
    ofCaller: Math.ceil(max * CALLER_SHARE),
    ofThing: Math.ceil(max * THING_SHARE),
    waitingMax: SHARE_WAITING_MAX,
    waitMs: SHARE_WAIT_MS,
    isSilent: () => performance.now() - answers.lastAt > SILENT_MS,
  })

  async function onConnection<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    const entered = share.enter(borrowing.getStore()?.())
    const places = entered instanceof Promise ? await entered : entered
    try {
      const seat = await connections.take()
      try {
        await adjustLimits(seat.connection, terms)
        return await work(seat.connection)
      } finally {
        connections.giveBack(seat)
      }
    } finally {
      share.leave(places)
    }
  }

  const statement: Send = (text, parameters, read) =>
    onConnection((connection) => statementOn(connection, terms)(text, parameters, read))

  const transaction = <T>(work: (send: Send) => Promise<T>): Promise<T> =>
    onConnection((connection) => inTransaction(connection, terms, work))

  const closingIdle = setInterval(connections.closeIdle, CLOSE_IDLE_MS)
  closingIdle.unref()

  return {
    statement,
    transaction,
    async close() {
      clearInterval(closingIdle)
      await connections.close()
    },
    figures: () => ({
      ...connections.figures(),
      overShare: share.refused(),
      waitingForShare: share.waiting(),
    }),
  }
}
