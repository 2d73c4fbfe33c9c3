import { dlopen } from 'bun:ffi'
import * as fs from 'node:fs'
import { join } from 'node:path'
import { closedDataFolder } from '@/config/data-folder'
import { ConfigError, unusable } from '@/config/error'
import { isStill, look } from '@/lifecycle/process-table'

const EXCLUSIVE_NOW = 2 | 4
const LOOKS = 5
const LOOK_MS = 20

/**
 * One server per data folder. The kernel releases the lock when the process ends; the text in the file is for people, and for
 * releases without this lock.
 */
export function lockDataFolder(dataDir: string): () => void {
  const file = join(dataDir, 'server.lock')
  try {
    closedDataFolder(dataDir)
    const descriptor = take(dataDir, file)
    fs.ftruncateSync(descriptor)
    fs.writeSync(descriptor, `${process.pid} ${look(process.pid)?.birth ?? ''}`)
    return () => {
      fs.rmSync(file, { force: true })
      fs.closeSync(descriptor)
    }
  } catch (error) {
    throw error instanceof ConfigError ? error : unusable(dataDir, error)
  }
}

function take(dataDir: string, file: string): number {
  for (;;) {
    const descriptor = fs.openSync(file, 'a+', 0o600)
    const isOurs = lockPatiently(descriptor)
    const holder = holderIn(file)
    if (isOurs && !isRunning(holder) && isSameFile(descriptor, file)) return descriptor
    fs.closeSync(descriptor)
    if (!isOurs || isRunning(holder)) throw inUse(dataDir, holder)
    // The holder deleted the file between open and lock: the next round creates a new one.
  }
}

/** Retries, because `isLocked` of another process holds it for a moment. */
function lockPatiently(descriptor: number): boolean {
  for (let i = 0; i < LOOKS; i += 1) {
    if (flock(descriptor, EXCLUSIVE_NOW)) return true
    Bun.sleepSync(LOOK_MS)
  }
  return false
}

/** Whether a server runs on a data folder, even if its process is invisible to us: the kernel knows. */
export function isLocked(dataDir: string): boolean {
  const descriptor = openToLook(join(dataDir, 'server.lock'))
  if (descriptor === undefined) return false
  const isFree = flock(descriptor, EXCLUSIVE_NOW)
  fs.closeSync(descriptor)
  return !isFree
}

/** The holder may delete it at any moment; a missing permission is reported by `lockDataFolder`. */
function openToLook(file: string): number | undefined {
  try {
    return fs.openSync(file, 'r')
  } catch {
    return undefined
  }
}

export function holderOf(dataDir: string): number | undefined {
  const holder = holderIn(join(dataDir, 'server.lock'))
  return isRunning(holder) ? holder.pid : undefined
}

type Holder = { pid: number; birth: string }

function holderIn(file: string): Holder {
  const text = readText(file)
  const [pid = '', birth = ''] = text.split(' ')
  return { pid: Number(pid), birth }
}

function readText(file: string): string {
  try {
    return fs.readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

const isRunning = (holder: Holder) => holder.pid > 0 && holder.pid !== process.pid && isStill(holder)

function isSameFile(descriptor: number, file: string): boolean {
  return fs.fstatSync(descriptor).ino === fs.statSync(file, { throwIfNoEntry: false })?.ino
}

const inUse = (dataDir: string, { pid }: Holder) =>
  new ConfigError(
    `Folkmoot already runs on the data folder ${dataDir} (${pid > 0 ? `process ${pid}` : 'just started'}): stop it, or set DATA_DIR to another folder.`,
  )

function flock(descriptor: number, operation: number): boolean {
  const libc = dlopen(process.platform === 'darwin' ? 'libSystem.B.dylib' : 'libc.so.6', {
    flock: { args: ['i32', 'i32'], returns: 'i32' },
  })
  return libc.symbols.flock(descriptor, operation) === 0
}
