import { spawnSync } from 'node:child_process'
import * as fs from 'node:fs'
import { join } from 'node:path'
import { errorCode } from './error'

export type PidFile = { pid: number; port: number; status: string }

/** Parses postmaster.pid; single-user mode writes a negative process id there. */
export function readPidFile(cluster: string): PidFile | undefined {
  const lines = readText(pidFile(cluster)).split('\n')
  const pid = Math.abs(Number.parseInt(lines[0] ?? '', 10))
  if (!pid) return
  return { pid, port: Number(lines[3] ?? 0), status: (lines[7] ?? '').trim() }
}

/** PostgreSQL refuses to start if a crash emptied the file or its process id is in use again. */
export function clearStalePidFile(cluster: string): void {
  const pid = readPidFile(cluster)?.pid
  const isStale = !pid || (exists(pid) && !isPostmaster(pid, cluster))
  if (isStale) fs.rmSync(pidFile(cluster), { force: true })
}

/** Whether this process is a live PostgreSQL of this cluster (a zombie is not). */
export function isPostmaster(pid: number, cluster: string): boolean {
  if (!exists(pid)) return false
  if (process.platform !== 'linux') return commandOf(pid).includes(`/postgres -D ${cluster} `)
  const args = readText(`/proc/${pid}/cmdline`).split('\0')
  return args[0]?.endsWith('/postgres') === true && args[args.indexOf('-D') + 1] === cluster
}

function pidFile(cluster: string): string {
  return join(cluster, 'postmaster.pid')
}

function readText(path: string): string {
  try {
    return fs.readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

function exists(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return errorCode(error) === 'EPERM'
  }
}

function commandOf(pid: number): string {
  return spawnSync('ps', ['-ww', '-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).stdout ?? ''
}
