import { join } from 'node:path'
import type { Answer, Order } from './finding'
import { type Excess, LIMITS, watch } from './watch'

const ENTRY = join(import.meta.dir, 'child/main.ts')
/** Starting the child costs more than most pictures do; holding it without work costs memory. */
const WARM_MS = 30_000

export type Outcome = Answer | { ended: Excess | 'crash' }

type Inspector = {
  pid: number
  isAlive(): boolean
  ask(order: Order, limits: typeof LIMITS): Promise<Outcome>
  end(): void
}

let warm: Inspector | undefined
let cooling: ReturnType<typeof setTimeout> | undefined

/** Has a child process check one file. An answer of `ended` says that the child is gone, by itself or by its bounds. */
export async function askInspector(order: Order, limits = LIMITS): Promise<Outcome> {
  clearTimeout(cooling)
  // One that ended while it was waiting for work was ended by somebody else.
  if (!warm?.isAlive()) warm = start()
  const outcome = await warm.ask(order, limits)
  if ('ended' in outcome) warm = undefined
  cooling = setTimeout(endInspector, WARM_MS)
  cooling.unref()
  return outcome
}

/** Ends the child that waits for work, if there is one. */
export function endInspector() {
  clearTimeout(cooling)
  warm?.end()
  warm = undefined
}

/** The process that checks files now, for tests and measurements. */
export const inspectorPid = () => warm?.pid

function start(): Inspector {
  let settle: ((answer: Outcome) => void) | undefined
  let over: Excess | undefined
  const child = Bun.spawn([process.execPath, '--smol', '--no-env-file', '--no-install', ENTRY], {
    cwd: import.meta.dir,
    // The decoders see bytes of strangers: nothing of our environment, which holds secrets, is theirs to read.
    env: { MALLOC_ARENA_MAX: '2' },
    stdio: ['ignore', 'ignore', 'ignore'],
    serialization: 'json',
    // The channel closes with us, however we end, and the child ends with the channel.
    ipc: (answer: Answer) => settle?.(answer),
    onExit: () => settle?.({ ended: over ?? 'crash' }),
  })
  child.unref()

  const ask = async (order: Order, limits: typeof LIMITS) => {
    const answered = new Promise<Outcome>((resolve) => {
      settle = resolve
    })
    const stopWatching = watch(child.pid, limits, (what) => {
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
