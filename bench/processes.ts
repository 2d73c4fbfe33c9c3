import type { SpawnOptions, Subprocess } from 'bun'
import { atEnd, isLeaving } from './leave'

type Out = 'pipe' | 'ignore'
type Options<O extends Out> = {
  stdout: O
  cwd?: string
  env?: Record<string, string | undefined>
  /** How to ask it to end; without a signal of its own a process is killed. */
  stopSignal?: NodeJS.Signals
}

export type Child<O extends Out = Out> = Subprocess<'ignore', O, 'inherit'> & { stop(): Promise<void> }

const PATIENCE_MS = 3000

/** Starts a process that does not outlive the bench. */
export function start<O extends Out>(
  command: string[],
  { stopSignal = 'SIGKILL', ...options }: Options<O>,
): Child<O> {
  if (isLeaving()) throw new Error('The bench is being stopped')
  const spawned = Bun.spawn(command, {
    ...options,
    stdin: 'ignore',
    stderr: 'inherit',
  } satisfies SpawnOptions.OptionsObject<'ignore', O, 'inherit'>)
  const stop = async () => {
    if (spawned.exitCode !== null || spawned.signalCode !== null) return
    spawned.kill(stopSignal)
    await Promise.race([spawned.exited, Bun.sleep(PATIENCE_MS)])
    spawned.kill('SIGKILL')
    await spawned.exited
  }
  void spawned.exited.then(atEnd(stop))
  return Object.assign(spawned, { stop })
}
