import { type AppError, answerLost, unavailable, unavailableBy } from '@/core/errors'
import { patientTimeout } from '@/core/patience'
import { databaseError, isUnreachable } from '../conflicts'
import { noteAnswer } from './answers'
import type { Connection, Statement } from './connection'

const READ_ONLY = '25006'
/** Statements that change nothing: losing their answer leaves nothing unknown. */
const READS = /^\s*select\b/i

/** Sends a statement; the caller says in which form it wants the rows. */
export type Send = <T>(
  text: string,
  parameters: unknown[],
  read: (statement: Statement) => PromiseLike<T>,
) => Promise<T>

/** How long a statement may take, and which texts are prepared by name. */
export type Terms = { deadlineMs: number; isNamed: (text: string) => boolean }

const sendOn =
  (connection: Connection, { deadlineMs, isNamed }: Terms, lost?: Lost): Send =>
  (text, parameters, read) =>
    inTime(connection, deadlineMs, read(connection.send(text, parameters, isNamed(text))), lost)

/** A statement of its own, which commits itself. In a shared session it is a transaction, which alone can have settings there. */
export const statementOn =
  (connection: Connection, terms: Terms): Send =>
  (text, parameters, read) =>
    connection.isShared
      ? inTransaction(connection, terms, (send) => send(text, parameters, read))
      : sendOn(connection, terms, READS.test(text) ? NOT_DONE : PERHAPS_DONE)(text, parameters, read)

/** Gives a session the time limits that the process has patience for by now. */
export function adjustLimits(connection: Connection, { deadlineMs }: Terms): undefined | Promise<unknown> {
  const limits = connection.limits()
  return limits === undefined ? undefined : inTime(connection, deadlineMs, connection.send(limits))
}

/** Runs a transaction on a connection that nobody else uses meanwhile. */
export async function inTransaction<T>(
  connection: Connection,
  terms: Terms,
  work: (send: Send) => Promise<T>,
): Promise<T> {
  const control = (text: string, lost?: Lost) =>
    inTime(connection, terms.deadlineMs, connection.send(text), lost)
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
  await control(connection.begin())
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
  const { command } = await control('commit', COMMIT)
  // PostgreSQL undoes a transaction in which a statement failed, and calls that a success.
  if (command !== 'COMMIT') throw failure ?? new Error('A transaction was undone instead of committed')
  return result
}

/** What is known of a statement whose connection was lost, and how the log calls silence. */
type Lost = { silence: string; as: (cause: unknown) => AppError }

/** PostgreSQL rolls back a transaction whose connection ends before it has read the commit. */
const NOT_DONE: Lost = { silence: 'DATABASE_SILENT', as: unavailable }
const PERHAPS_DONE: Lost = { silence: 'DATABASE_SILENT', as: answerLost }
const COMMIT: Lost = { silence: 'COMMIT_SILENT', as: answerLost }

/** A server that does not answer in time has not said what it did: its connection goes. */
const inTime = <T>(
  connection: Connection,
  deadlineMs: number,
  pending: PromiseLike<T>,
  lost = NOT_DONE,
): Promise<T> =>
  new Promise((resolve, reject) => {
    const timer = patientTimeout(deadlineMs, () => {
      connection.discard()
      reject(lost.as(Object.assign(new Error(lost.silence), { code: lost.silence })))
    })
    pending.then(
      (value) => {
        timer.clear()
        noteAnswer()
        resolve(value)
      },
      (error) => {
        timer.clear()
        if (isUndone(error)) noteAnswer(databaseError(error)?.code)
        if (!isOfStatement(error)) connection.discard()
        reject(isUndone(error) || !isUnreachable(error) ? error : lost.as(error))
      },
    )
  })

/** Whether PostgreSQL refused one statement. A pooler that lost its server says so in the same words. */
const isUndone = (error: unknown) => {
  const { severity, code = '' } = databaseError(error) ?? {}
  return severity === 'ERROR' && !code.startsWith('08')
}

/**
 * Whether the connection is ready for the next statement; everything else leaves its state unknown. A server that takes no
 * writes may take none for good: a primary that came back as a standby.
 */
const isOfStatement = (error: unknown) => isUndone(error) && databaseError(error)?.code !== READ_ONLY
