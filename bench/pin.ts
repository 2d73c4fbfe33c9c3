import { spawnSync } from 'node:child_process'

const SERVER_CORE = '0'
const OTHER_CORE = '1'

/** Each server under test has one core; the bench and all that it starts besides share the other. */
const isPinned = Bun.which('taskset') !== null && [SERVER_CORE, OTHER_CORE].every(mayUse)

/** Children inherit the core of their parent, so moving ourselves moves everything that is not a server. */
export function pinBench() {
  if (isPinned) spawnSync('taskset', ['-acp', OTHER_CORE, String(process.pid)])
}

export const onServerCore = (command: string[]) =>
  isPinned ? ['taskset', '-c', SERVER_CORE, ...command] : command

/** For what is done alone, as a host would: children of the bench would share its one core. */
export const onBothCores = (command: string[]) =>
  isPinned ? ['taskset', '-c', `${SERVER_CORE},${OTHER_CORE}`, ...command] : command

function mayUse(core: string) {
  return spawnSync('taskset', ['-c', core, 'true']).status === 0
}

export const placement = isPinned
  ? `servers on core ${SERVER_CORE}; generator, PostgreSQL and Redis on core ${OTHER_CORE}`
  : 'NOT PINNED (no taskset, or no two cores): servers, generator and databases disturb each other'
