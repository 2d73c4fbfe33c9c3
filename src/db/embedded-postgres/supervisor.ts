import { setTimeout as sleep } from 'node:timers/promises'
import { type Postmaster, terminate } from './postmaster'
import type { Say } from './site'

export type Supervised = { readonly pid: number; stop(): Promise<void> }

const steadyAfter = 10_000

/** Restarts PostgreSQL whenever it ends before stop() is called. */
export function supervise(first: Postmaster, relaunch: () => Postmaster, log: Say): Supervised {
  let current = first
  let stopped: Promise<void> | undefined
  const stopping = new AbortController()
  const { signal } = stopping
  void watch()

  return {
    get pid() {
      return current.pid
    },
    stop() {
      stopped ??= end()
      return stopped
    },
  }

  async function end(): Promise<void> {
    stopping.abort()
    await terminate(current)
  }

  async function watch(): Promise<void> {
    let failures = 0
    while (!signal.aborted) {
      const since = Date.now()
      const reason = await current.untilEnd()
      if (signal.aborted) return
      failures = Date.now() - since > steadyAfter ? 1 : failures + 1
      await pause(reason, failures)
      if (!signal.aborted) current = attempt()
    }
  }

  async function pause(reason: string, failures: number): Promise<void> {
    const delay = Math.min(100 * 2 ** failures, 5000)
    log(`PostgreSQL ended unexpectedly (${reason}): it is started again in ${delay / 1000} s.`, 'error')
    await sleep(delay, undefined, { signal, ref: false }).catch(() => {})
  }

  function attempt(): Postmaster {
    try {
      return relaunch()
    } catch (error) {
      return { ...current, isAlive: () => false, untilEnd: async () => String(error) }
    }
  }
}
