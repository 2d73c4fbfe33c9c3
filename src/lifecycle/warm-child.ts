import { type Bounds, type Excess, watch } from './watch'

/** `killed` by another process, such as the OOM killer. */
export type Ended = { ended: Excess | 'crash' | 'killed' }

type Child<Order, Answer> = {
  pid: number
  isAlive(): boolean
  ask(order: Order, bounds: Bounds): Promise<Answer | Ended>
  end(): void
}

/** Starting a child costs more than most of its work; an idle one costs memory. */
const WARM_MS = 30_000

/**
 * A separate process for work that would block requests, or that parses untrusted bytes. Started on demand, asked one thing at a
 * time, and ended when idle.
 */
export function warmChild<Order, Answer extends object>(entry: string) {
  let warm: Child<Order, Answer> | undefined
  let cooling: ReturnType<typeof setTimeout> | undefined
  let isAsked = false

  function end() {
    clearTimeout(cooling)
    warm?.end()
    warm = undefined
  }

  return {
    /** `ended` means that the child is gone, by itself or by its limits. */
    async ask(order: Order, bounds: Bounds): Promise<Answer | Ended> {
      clearTimeout(cooling)
      // An idle child that ended was killed from outside.
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
    /** For tests and measurements. */
    pid: () => warm?.pid,
    isBusy: () => isAsked,
  }
}

function start<Order, Answer extends object>(entry: string): Child<Order, Answer> {
  let settle: ((answer: Answer | Ended) => void) | undefined
  let over: Excess | undefined
  const child = Bun.spawn([process.execPath, '--smol', '--no-env-file', '--no-install', entry], {
    cwd: import.meta.dir,
    // It parses untrusted input, so it gets nothing of our environment, which holds secrets.
    env: { MALLOC_ARENA_MAX: '2' },
    stdio: ['ignore', 'ignore', 'ignore'],
    serialization: 'json',
    // The channel closes with us, and the child ends with it.
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
