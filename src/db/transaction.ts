import { AsyncLocalStorage } from 'node:async_hooks'
import { preconditionFailed } from '@/core/errors'
import { failpoint } from '@/core/failpoint'
import { type Db, db, insideTransaction, type Tx } from './client'
import { isRetryable, isTemporary } from './conflicts'

/** Called with the result inside the transaction, before it commits. */
export type BeforeCommit = (tx: Tx, result: unknown) => Promise<void>

/** Set while a request with an idempotency key runs, so that its outcome commits with its change. */
export const beforeCommit = new AsyncLocalStorage<BeforeCommit>()

/** A condition on the state before a change. */
export type Precondition = { isMet: () => Promise<boolean>; isUsed: boolean }

/** Set while a conditional request runs. The state is read at the beginning of its transaction. */
export const precondition = new AsyncLocalStorage<Precondition>()

type AfterCommit = () => void

const afterwards = new WeakMap<object, AfterCommit[]>()

/** Runs after the commit, and never after a rollback. */
export const afterCommit = (tx: Tx, work: AfterCommit) => {
  afterwards.get(tx)?.push(work)
}

/**
 * Runs a change, then its after-commit work. Retries serialization failures and deadlocks. With a precondition it runs at
 * repeatable read: a concurrent change forces a retry, which then fails with 412.
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
          // Every other error comes first (RFC 9110, 13.2.1).
          if (!isMet) throw preconditionFailed
          await beforeCommit.getStore()?.(tx, value)
          failpoint('before-commit')
          return value
        }),
      condition && { isolationLevel: 'repeatable read' },
    )
    if (condition) condition.isUsed = true
    failpoint('after-commit')
    for (const work of after) work()
    return result
  })

/** The condition applies to the request's first transaction only: later ones find the state that it changed. */
function openCondition(): Precondition | undefined {
  const condition = precondition.getStore()
  return condition?.isUsed ? undefined : condition
}

/** Retries a transaction, or a single statement, after a serialization failure or deadlock. */
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

/** Repeats an idempotent statement until the database is back, for a minute at most. */
export async function retriedThroughOutage<T>(run: () => Promise<T>): Promise<T> {
  for (const startedAt = performance.now(); ; )
    try {
      return await run()
    } catch (error) {
      if (!isTemporary(error) || performance.now() - startedAt > PERSIST_MS) throw error
      await Bun.sleep(250 + Math.random() * 250)
    }
}

/** Runs several reads on one snapshot. `changing` makes a statement outside `tx`, which would not see the snapshot, throw. */
export const snapshot = <T>(work: (tx: Tx) => Promise<T>, on: Db = db): Promise<T> =>
  on.transaction((tx) => insideTransaction.run('changing', () => work(tx)), {
    isolationLevel: 'repeatable read',
    accessMode: 'read only',
  })
