import { AsyncLocalStorage } from 'node:async_hooks'
import { failpoint } from '@/core/failpoint'
import { type Db, db, insideTransaction, type Tx } from './client'
import { isOutage, isRetryable } from './conflicts'

/** Called with the result inside the transaction, before it commits. */
export type BeforeCommit = (tx: Tx, result: unknown) => Promise<void>

/** Set while a request with an idempotency key runs, so that its outcome commits with its change. */
export const beforeCommit = new AsyncLocalStorage<BeforeCommit>()

type AfterCommit = () => void

const afterwards = new WeakMap<object, AfterCommit[]>()

/** Runs once the change is true for everyone, and never if it is undone. */
export const afterCommit = (tx: Tx, work: AfterCommit) => {
  afterwards.get(tx)?.push(work)
}

/**
 * Runs a change, then the work that waits for its commit. Serialisation failures and deadlocks are tried again and
 * never reach a caller.
 */
export const transaction = <T>(work: (tx: Tx) => Promise<T>, on: Db = db): Promise<T> =>
  retried(async () => {
    const after: AfterCommit[] = []
    const result = await on.transaction((tx) =>
      insideTransaction.run(true, async () => {
        afterwards.set(tx, after)
        const value = await work(tx)
        await beforeCommit.getStore()?.(tx, value)
        failpoint('before-commit')
        return value
      }),
    )
    failpoint('after-commit')
    for (const work of after) work()
    return result
  })

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
      if (!isOutage(error) || performance.now() - startedAt > PERSIST_MS) throw error
      await Bun.sleep(250 + Math.random() * 250)
    }
}

/** Reads what was true at one moment, in as many statements as it takes. */
export const snapshot = <T>(work: (tx: Tx) => Promise<T>, on: Db = db): Promise<T> =>
  on.transaction((tx) => insideTransaction.run(true, () => work(tx)), {
    isolationLevel: 'repeatable read',
    accessMode: 'read only',
  })
