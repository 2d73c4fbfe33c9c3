import type { SpawnOptions, Subprocess } from 'bun'
import { atEnd, isLeaving } from './leave'

type Out = 'pipe' | 'ignore'
type Options<O extends Out> = {
  stdout: O
  cwd?: string
  env?: Record<string, string | undefined>
  /** How to ask it to end; what needs no farewell is simply killed. */
  farewell?: NodeJS.Signals
}

export type Child<O extends Out = Out> = Subprocess<'ignore', O, 'inherit'> & { stop(): Promise<void> }

const PATIENCE_MS = 3000

/** Starts a process that does not outlive the bench. */
export function start<O extends Out>(
  command: string[],
  { farewell = 'SIGKILL', ...options }: Options<O>,
): Child<O> {
  if (isLeaving()) throw new Error('The bench is being stopped')
  const spawned = Bun.spawn(command, {
    ...options,
    stdin: 'ignore',
    stderr: 'inherit',
  } satisfies SpawnOptions.OptionsObject<'ignore', O, 'inherit'>)
  const stop = async () => {
    if (spawned.exitCode !== null || spawned.signalCode !== null) return
    spawned.kill(farewell)
    await Promise.race([spawned.exited, Bun.sleep(PATIENCE_MS)])
    spawned.kill('SIGKILL')
    await spawned.exited
  }
  void spawned.exited.then(atEnd(stop))
  return Object.assign(spawned, { stop })
}
