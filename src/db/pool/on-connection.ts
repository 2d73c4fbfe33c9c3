import { unavailableBy } from '@/core/errors'
import { databaseError } from '../conflicts'
import type { Connection, Statement } from './connection'

const READ_ONLY = '25006'

/** Sends a statement; the caller says in which form it wants the rows. */
export type Send = <T>(
  text: string,
  parameters: unknown[],
  read: (statement: Statement) => PromiseLike<T>,
) => Promise<T>

/** How long a statement may take, and which texts are prepared by name. */
export type Terms = { deadlineMs: number; isNamed: (text: string) => boolean }

export const sendOn =
  (connection: Connection, { deadlineMs, isNamed }: Terms): Send =>
  (text, parameters, read) =>
    inTime(connection, deadlineMs, read(connection.send(text, parameters, isNamed(text))))

/** A statement of its own. In a shared session it is a transaction, which alone can have settings there. */
export const statementOn =
  (connection: Connection, terms: Terms): Send =>
  (text, parameters, read) =>
    connection.isShared
      ? inTransaction(connection, terms, (send) => send(text, parameters, read))
      : sendOn(connection, terms)(text, parameters, read)

/** Runs a transaction on a connection that nobody else uses meanwhile. */
export async function inTransaction<T>(
  connection: Connection,
  terms: Terms,
  work: (send: Send) => Promise<T>,
): Promise<T> {
  const control = (text: string, silence?: string) =>
    inTime(connection, terms.deadlineMs, connection.send(text), silence)
  let isOver = false
  let failure: unknown
  const send: Send = async (...statement) => {
    // A late statement would run in the transaction of the connection's next holder.
    if (isOver) throw new Error('The transaction of this statement is over')
    if (!connection.isUsable()) throw failure ?? unavailableBy('CONNECTION_CLOSED')
    try {
      return await sendOn(connection, terms)(...statement)
    } catch (error) {
      failure ??= error
      throw error
    }
  }
  await control(connection.begin)
  let result: T
  try {
    result = await work(send)
  } catch (error) {
    isOver = true
    if (connection.isUsable()) await control('rollback').catch(() => {})
    throw error
  }
  isOver = true
  if (!connection.isUsable()) throw failure ?? unavailableBy('CONNECTION_CLOSED')
  const { command } = await control('commit', 'COMMIT_SILENT')
  // PostgreSQL undoes a transaction in which a statement failed, and calls that a success.
  if (command !== 'COMMIT') throw failure ?? new Error('A transaction was undone instead of committed')
  return result
}

/** A server that does not answer in time has not said what it did: its connection goes. */
const inTime = <T>(
  connection: Connection,
  deadlineMs: number,
  pending: PromiseLike<T>,
  silence = 'DATABASE_SILENT',
): Promise<T> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      connection.discard()
      reject(unavailableBy(silence))
    }, deadlineMs)
    pending.then(
      (value) => {
        clearTimeout(timer)
        resolve(value)
      },
      (error) => {
        clearTimeout(timer)
        if (!isOfStatement(error)) connection.discard()
        reject(error)
      },
    )
  })

/**
 * Whether PostgreSQL refused one statement and is ready for the next; everything else leaves its state unknown. One that takes no
 * writes may take none for good: a primary that came back as a standby.
 */
const isOfStatement = (error: unknown) => {
  const { severity, code } = (databaseError(error) as { severity?: string; code?: string } | undefined) ?? {}
  return severity === 'ERROR' && code !== READ_ONLY
}
