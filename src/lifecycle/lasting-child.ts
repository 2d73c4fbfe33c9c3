import type { Subprocess } from 'bun'

/** A child that keeps ending is started less and less often. */
const FIRST_MS = 100
const LONGEST_MS = 10_000
/** One that lasted this long had no trouble at its start. */
const STEADY_MS = 30_000

export type Ended = { code: number | null; signal: string | null; againInMs: number }

type Terms<Message> = {
  entry: string
  environment: Record<string, string | undefined>
  /** Called for each start; gives what hears its messages. */
  begun: () => (message: Message) => void
  ended: (how: Ended) => void
}

export type LastingChild<Order> = {
  pid(): number
  send(order: Order): void
  /** Gives an order after which it is not started again, and waits for its end. */
  stop(order: Order, withinMs: number): Promise<void>
}

/**
 * A child of ours that is started again whenever it ends, until it is told to stop. The channel closes with us, however we
 * end, and the child ends with the channel.
 */
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
    const hear = begun()
    return Bun.spawn([process.execPath, ...process.execArgv.filter(isForChildren), entry], {
      env: environment,
      stdio: ['ignore', 'inherit', 'inherit'],
      serialization: 'json',
      ipc: hear,
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
      // It has just ended, and there is nobody to tell.
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

/** What made us look at files that are saved is not for them: they end with us. */
const isForChildren = (argument: string) => !/^--(watch|hot)/.test(argument)
