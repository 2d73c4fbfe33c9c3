import { AsyncLocalStorage } from 'node:async_hooks'
import { preconditionFailed } from '@/core/errors'
import { failpoint } from '@/core/failpoint'
import { type Db, db, insideTransaction, type Tx } from './client'
import { isRetryable, isTemporary } from './conflicts'

/** Called with the result inside the transaction, before it commits. */
export type BeforeCommit = (tx: Tx, result: unknown) => Promise<void>

/** Set while a request with an idempotency key runs, so that its outcome commits with its change. */
export const beforeCommit = new AsyncLocalStorage<BeforeCommit>()

/** What a change demands of the state that it finds. */
export type Precondition = { isMet: () => Promise<boolean>; isSettled: boolean }

/** Set while a request with a condition runs. The state is read at the beginning of its transaction. */
export const precondition = new AsyncLocalStorage<Precondition>()

type AfterCommit = () => void

const afterwards = new WeakMap<object, AfterCommit[]>()

/** Runs once the change is true for everyone, and never if it is undone. */
export const afterCommit = (tx: Tx, work: AfterCommit) => {
  afterwards.get(tx)?.push(work)
}

/**
 * Runs a change, then the work that waits for its commit. Serialisation failures and deadlocks are tried again and
 * never reach a caller. A change with a precondition works on the snapshot that the condition was read from: a row that was
 * changed since is a serialisation failure, and the next try finds the condition unmet.
 */
export const transaction = <T>(work: (tx: Tx) => Promise<T>, on: Db = db): Promise<T> =>
  retried(async () => {
    const after: AfterCommit[] = []
    const condition = openCondition()
    const result = await on.transaction(
      (tx) =>
        insideTransaction.run('changing', async () => {
          afterwards.set(tx, after)
          const isMet = !condition || (await insideTransaction.run('reading', condition.isMet))
          const value = await work(tx)
          // Every other refusal comes first (RFC 9110, 13.2.1).
          if (!isMet) throw preconditionFailed
          await beforeCommit.getStore()?.(tx, value)
          failpoint('before-commit')
          return value
        }),
      condition && { isolationLevel: 'repeatable read' },
    )
    if (condition) condition.isSettled = true
    failpoint('after-commit')
    for (const work of after) work()
    return result
  })

/** A condition is about the first change of a request: what follows from that finds another state. */
function openCondition(): Precondition | undefined {
  const condition = precondition.getStore()
  return condition?.isSettled ? undefined : condition
}

/** Tries again what a serialisation failure or a deadlock undid: a transaction, or one statement, which is one too. */
export async function retried<T>(run: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1)
    try {
      return await run()
    } catch (error) {
      if (attempt >= 4 || !isRetryable(error)) throw error
      await Bun.sleep(Math.random() * 10 * 2 ** attempt)
    }
}

const PERSIST_MS = 60_000

/** Repeats a statement that may run twice until the database is back, for a minute at most. */
export async function persisted<T>(run: () => Promise<T>): Promise<T> {
  for (const startedAt = performance.now(); ; )
    try {
      return await run()
    } catch (error) {
      if (!isTemporary(error) || performance.now() - startedAt > PERSIST_MS) throw error
      await Bun.sleep(250 + Math.random() * 250)
    }
}

/** Reads what was true at one moment, in as many statements as it takes. */
export const snapshot = <T>(work: (tx: Tx) => Promise<T>, on: Db = db): Promise<T> =>
  on.transaction((tx) => insideTransaction.run('changing', () => work(tx)), {
    isolationLevel: 'repeatable read',
    accessMode: 'read only',
  })
