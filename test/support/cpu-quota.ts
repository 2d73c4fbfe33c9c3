import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const V1 = '/sys/fs/cgroup/cpu'
const V2 = '/sys/fs/cgroup'
const PERIOD_US = 100_000

/**
 * A control group of Linux whose processes together get a part of one processor; undefined where we may not make one. Processes
 * that are added to it bring those that they start from then on.
 */
export function cpuQuota(share: number) {
  const isV1 = existsSync(join(V1, 'cpu.cfs_quota_us'))
  const folder = join(isV1 ? V1 : V2, `folkmoot-test-${process.pid}`)
  const give = (part: number) => {
    const quota = Math.round(part * PERIOD_US)
    if (isV1) writeFileSync(join(folder, 'cpu.cfs_quota_us'), String(quota))
    else writeFileSync(join(folder, 'cpu.max'), `${quota} ${PERIOD_US}`)
  }
  try {
    mkdirSync(folder)
    give(share)
  } catch {
    return undefined
  }
  const move = (pid: number, to: string) => writeFileSync(join(to, 'cgroup.procs'), String(pid))
  return {
    /** Gives another part of a processor. */
    give,
    /** A command line as one that runs in the group from its first instruction. */
    inside: (...command: string[]) => [
      'sh',
      '-c',
      'echo $$ > "$0" && exec "$@"',
      join(folder, 'cgroup.procs'),
      ...command,
    ],
    add(pids: number[]) {
      for (const pid of pids) move(pid, folder)
    },
    /** Gives its processes all of the time again. */
    end() {
      const left = () => readFileSync(join(folder, 'cgroup.procs'), 'utf8').split('\n').filter(Boolean)
      // One that is moved may have just started another.
      for (let pids = left(); pids.length > 0; pids = left())
        for (const pid of pids)
          try {
            move(Number(pid), isV1 ? V1 : V2)
          } catch {
            // It has ended.
          }
      rmdirSync(folder)
    },
  }
}

/** A process and all that it has started. */
export function familyOf(pid: number): number[] {
  const children = Bun.spawnSync(['pgrep', '-P', String(pid)])
    .stdout.toString()
    .split('\n')
    .filter(Boolean)
  return [pid, ...children.flatMap((child) => familyOf(Number(child)))]
}
