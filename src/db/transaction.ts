import { AsyncLocalStorage } from 'node:async_hooks'
import { failpoint } from '@/core/failpoint'
import { type Db, db, insideTransaction, type Tx } from './client'
import { isRetryable } from './conflicts'
import { announce, type Notice } from './facts'

/** Called with the result inside the transaction, before it commits. */
export type BeforeCommit = (tx: Tx, result: unknown) => Promise<void>

/** Set while a request with an idempotency key runs, so that its outcome commits with its change. */
export const beforeCommit = new AsyncLocalStorage<BeforeCommit>()

const factsOf = new WeakMap<object, Notice[]>()

/** Notes something on its transaction, to be announced once it is true for everyone. */
export const note = (tx: Tx, fact: Notice) => {
  factsOf.get(tx)?.push(fact)
}

/**
 * Runs a change. What is emitted inside is announced after the commit; serialisation failures and deadlocks
 * are tried again and never reach a caller.
 */
export async function transaction<T>(work: (tx: Tx) => Promise<T>, on: Db = db): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    const facts: Notice[] = []
    try {
      const result = await on.transaction((tx) =>
        insideTransaction.run(true, async () => {
          factsOf.set(tx, facts)
          const value = await work(tx)
          await beforeCommit.getStore()?.(tx, value)
          failpoint('before-commit')
          return value
        }),
      )
      failpoint('after-commit')
      if (facts.length > 0) announce(facts)
      return result
    } catch (error) {
      if (attempt >= 4 || !isRetryable(error)) throw error
      await Bun.sleep(Math.random() * 10 * 2 ** attempt)
    }
  }
}
