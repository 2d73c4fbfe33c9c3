import { randomBytes } from 'node:crypto'
import * as fs from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import type { Runner } from './command'

// PostgreSQL refuses to run as root, so root runs it in one of the other two ways.
export const ourselves: Runner = { prefix: [] }
export const nobody: Runner = { prefix: [], uid: 65534, gid: 65534 }

// Still root for the file system, but user 65534 to itself.
export const namespaced: Runner = {
  prefix: ['unshare', '--user', '--map-user=65534', '--map-group=65534', '--'],
}

/** Whether this runner can use a cluster in the folder. */
export function canLiveIn(folder: string, runner: Runner): boolean {
  return !blockedFolder(folder, runner) && canBeGiven(folder, runner)
}

export function isRoot(): boolean {
  return process.getuid?.() === 0
}

/** Creates a missing folder with its parents, independent of the umask. */
export function createFolder(path: string, mode: number): void {
  const first = fs.mkdirSync(path, { recursive: true })
  if (first === undefined) return
  const topmost = resolve(first)
  for (let folder = path; folder.startsWith(topmost); folder = dirname(folder)) fs.chmodSync(folder, mode)
}

/** The first folder on the way to `path` (inclusive) that this user may not enter. */
export function blockedFolder(path: string, runner: Runner): string | undefined {
  const real = fs.realpathSync(path)
  const parent = dirname(real)
  const blockedAbove = parent === real ? undefined : blockedFolder(parent, runner)
  if (blockedAbove) return blockedAbove
  return mayPass(fs.statSync(real), runner) ? undefined : real
}

export function giveTo(runner: Runner, path: string): void {
  if (runner.uid !== undefined && runner.gid !== undefined) fs.chownSync(path, runner.uid, runner.gid)
}

// Some file systems (network and desktop mounts) refuse or ignore chown.
function canBeGiven(folder: string, runner: Runner): boolean {
  if (runner.uid === undefined) return true
  const sample = join(folder, `.owner-test-${randomBytes(4).toString('hex')}`)
  try {
    fs.mkdirSync(sample)
    giveTo(runner, sample)
    return fs.statSync(sample).uid === runner.uid
  } catch {
    return false
  } finally {
    fs.rmSync(sample, { recursive: true, force: true })
  }
}

// A runner without ids is root without its privileges.
function mayPass(stat: fs.Stats, { uid = 0, gid = 0 }: Runner): boolean {
  const bit = stat.uid === uid ? 0o100 : stat.gid === gid ? 0o010 : 0o001
  return (stat.mode & bit) !== 0
}
