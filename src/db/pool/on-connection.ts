import { type AppError, answerLost, unavailable, unavailableBy } from '@/core/errors'
import { patientTimeout } from '@/core/patience'
import { databaseError, isUnreachable } from '../conflicts'
import { noteAnswer } from './answers'
import type { Connection, Statement } from './connection'

const READ_ONLY = '25006'
/** Read-only statements: losing their answer leaves nothing unknown. */
const READS = /^\s*select\b/i

/** Sends a statement; the caller chooses the form of the rows. */
export type Send = <T>(
  text: string,
  parameters: unknown[],
  read: (statement: Statement) => PromiseLike<T>,
) => Promise<T>

/** The time limit, and which texts are prepared by name. */
export type Terms = { deadlineMs: number; isNamed: (text: string) => boolean }

const sendOn =
  (connection: Connection, { deadlineMs, isNamed }: Terms, lost?: Lost): Send =>
  (text, parameters, read) =>
    inTime(connection, deadlineMs, read(connection.send(text, parameters, isNamed(text))), lost)

/** A single autocommit statement. In a shared session it is a transaction, because only that can have settings there. */
export const statementOn =
  (connection: Connection, terms: Terms): Send =>
  (text, parameters, read) =>
    connection.isShared
      ? inTransaction(connection, terms, (send) => send(text, parameters, read))
      : sendOn(connection, terms, READS.test(text) ? NOT_DONE : PERHAPS_DONE)(text, parameters, read)

/** Applies the process's current patience to the timeouts of a session. */
export function adjustLimits(connection: Connection, { deadlineMs }: Terms): undefined | Promise<unknown> {
  const limits = connection.limits()
  return limits === undefined ? undefined : inTime(connection, deadlineMs, connection.send(limits))
}

/** Runs a transaction on an exclusively held connection. */
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
  // PostgreSQL rolls back a failed transaction at COMMIT and reports success.
  if (command !== 'COMMIT') throw failure ?? new Error('A transaction was undone instead of committed')
  return result
}

/** The outcome of a statement with a lost connection, and the log code of a timeout. */
type Lost = { silence: string; as: (cause: unknown) => AppError }

/** PostgreSQL rolls back a transaction whose connection ends before it reads the commit. */
const NOT_DONE: Lost = { silence: 'DATABASE_SILENT', as: unavailable }
const PERHAPS_DONE: Lost = { silence: 'DATABASE_SILENT', as: answerLost }
const COMMIT: Lost = { silence: 'COMMIT_SILENT', as: answerLost }

/** A timeout leaves the outcome unknown: discards the connection. */
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

/** Whether PostgreSQL refused one statement. A pooler that lost its server uses the same words. */
const isUndone = (error: unknown) => {
  const { severity, code = '' } = databaseError(error) ?? {}
  return severity === 'ERROR' && !code.startsWith('08')
}

/**
 * Whether the connection can take the next statement; otherwise its state is unknown. A read-only server may stay so: a former
 * primary that came back as a standby.
 */
const isOfStatement = (error: unknown) => isUndone(error) && databaseError(error)?.code !== READ_ONLY
