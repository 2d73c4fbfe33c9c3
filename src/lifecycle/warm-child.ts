import { type Bounds, type Excess, watch } from './watch'

/** `killed` by another process, such as the system that had no memory left. */
export type Ended = { ended: Excess | 'crash' | 'killed' }

type Child<Order, Answer> = {
  pid: number
  isAlive(): boolean
  ask(order: Order, bounds: Bounds): Promise<Answer | Ended>
  end(): void
}

/** Starting a child costs more than most of its work; holding it without work costs memory. */
const WARM_MS = 30_000

/**
 * A process of its own for work that must not keep requests waiting, or that meets bytes of strangers. It is started when
 * there is something to do, asked one thing at a time, and ended when there has been nothing for a while.
 */
export function warmChild<Order, Answer extends object>(entry: string) {
  let warm: Child<Order, Answer> | undefined
  let cooling: ReturnType<typeof setTimeout> | undefined
  let isAsked = false

  /** Ends the child that waits for work, if there is one. */
  function end() {
    clearTimeout(cooling)
    warm?.end()
    warm = undefined
  }

  return {
    /** An answer of `ended` says that the child is gone, by itself or by its bounds. */
    async ask(order: Order, bounds: Bounds): Promise<Answer | Ended> {
      clearTimeout(cooling)
      // One that ended while it was waiting for work was ended by somebody else.
      if (!warm?.isAlive()) warm = start<Order, Answer>(entry)
      isAsked = true
      const outcome = await warm.ask(order, bounds)
      isAsked = false
      if ('ended' in outcome) warm = undefined
      cooling = setTimeout(end, WARM_MS)
      cooling.unref()
      return outcome
    },
    end,
    /** The process that works now, for tests and measurements. */
    pid: () => warm?.pid,
    isBusy: () => isAsked,
  }
}

function start<Order, Answer extends object>(entry: string): Child<Order, Answer> {
  let settle: ((answer: Answer | Ended) => void) | undefined
  let over: Excess | undefined
  const child = Bun.spawn([process.execPath, '--smol', '--no-env-file', '--no-install', entry], {
    cwd: import.meta.dir,
    // It meets what strangers sent: nothing of our environment, which holds secrets, is its to read.
    env: { MALLOC_ARENA_MAX: '2' },
    stdio: ['ignore', 'ignore', 'ignore'],
    serialization: 'json',
    // The channel closes with us, however we end, and the child ends with the channel.
    ipc: (answer: Answer) => settle?.(answer),
    onExit: ({ signalCode }) => settle?.({ ended: over ?? (signalCode === 'SIGKILL' ? 'killed' : 'crash') }),
  })
  child.unref()

  const ask = async (order: Order, bounds: Bounds) => {
    const answered = new Promise<Answer | Ended>((resolve) => {
      settle = resolve
    })
    const stopWatching = watch(child.pid, bounds, (what) => {
      over = what
      child.kill('SIGKILL')
    })
    try {
      child.send(order)
      return await answered
    } finally {
      settle = undefined
      stopWatching()
    }
  }
  const isAlive = () => child.exitCode === null && child.signalCode === null
  return { pid: child.pid, isAlive, ask, end: () => child.kill('SIGKILL') }
}
