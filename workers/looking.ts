import type { BusMessage } from '@/core/domain-events'
import { warnSparingly } from '@/core/log'
import { reasonOf } from '@/core/reason'
import { subscribe } from '@/outbox/bus'

const LOOK_MS = 1000
/** A piece of work may take longer than a process may take to stop. Its lease runs out, and another process begins it again. */
const STOP_MS = 5000

type Terms = {
  /** Whose work it is, for the log. */
  name: string
  wakesOn: BusMessage['type']
  /** Does the next piece of work, if there is one. */
  next: () => Promise<boolean>
}

/** Works off what is due, one at a time. A broadcast wakes it; a look every second finds what nobody woke it for. */
export function startLooking({ name, wakesOn, next }: Terms): { stop(): Promise<void> } {
  let stopped = false
  let wake = () => {}
  const unsubscribe = subscribe((messages) => {
    if (messages.some(({ type }) => type === wakesOn)) wake()
  })

  const run = async () => {
    while (!stopped) {
      const woken = new Promise<void>((resolve) => {
        wake = resolve
      })
      const did = await next().catch((error: Error) =>
        warnSparingly(`${name}: cannot look for what is due`, reasonOf(error)),
      )
      if (!did) await Promise.race([woken, Bun.sleep(LOOK_MS)])
    }
  }
  const running = run()

  return {
    async stop() {
      stopped = true
      unsubscribe()
      wake()
      await Promise.race([running, Bun.sleep(STOP_MS)])
    },
  }
}
