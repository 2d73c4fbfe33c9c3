import type { Subprocess } from 'bun'

/** Restart backoff. */
const FIRST_MS = 100
const LONGEST_MS = 10_000
/** After this uptime the backoff resets. */
const STEADY_MS = 30_000

export type Ended = { code: number | null; signal: string | null; againInMs: number }

type Terms<Message> = {
  entry: string
  environment: Record<string, string | undefined>
  /** Called for each start; returns the message handler. */
  begun: () => (message: Message) => void
  ended: (how: Ended) => void
}

export type LastingChild<Order> = {
  pid(): number
  send(order: Order): void
  /** Sends an order, does not restart it, and waits for its end. */
  stop(order: Order, withinMs: number): Promise<void>
}

/** A child that is restarted whenever it ends, until stopped. The IPC channel closes with us, and the child ends with it. */
export function lastingChild<Order, Message>({
  entry,
  environment,
  begun,
  ended,
}: Terms<Message>): LastingChild<Order> {
  let isStopping = false
  let delayMs = FIRST_MS
  let child = start()

  function start(): Subprocess {
    const startedAt = performance.now()
    const onMessage = begun()
    return Bun.spawn([process.execPath, ...process.execArgv.filter(isForChildren), entry], {
      env: environment,
      stdio: ['ignore', 'inherit', 'inherit'],
      serialization: 'json',
      ipc: onMessage,
      onExit(_child, code, signal) {
        if (isStopping) return
        if (performance.now() - startedAt > STEADY_MS) delayMs = FIRST_MS
        ended({ code, signal: signal === null ? null : String(signal), againInMs: delayMs })
        setTimeout(() => {
          if (!isStopping) child = start()
        }, delayMs)
        delayMs = Math.min(delayMs * 2, LONGEST_MS)
      },
    })
  }

  const send = (order: Order) => {
    try {
      child.send(order)
    } catch {
      // It has just ended.
    }
  }

  return {
    pid: () => child.pid,
    send,
    async stop(order, withinMs) {
      isStopping = true
      send(order)
      const late = setTimeout(() => child.kill('SIGKILL'), withinMs)
      await child.exited
      clearTimeout(late)
    },
  }
}

/** Children do not watch files: they end with us. */
const isForChildren = (argument: string) => !/^--(watch|hot)/.test(argument)
