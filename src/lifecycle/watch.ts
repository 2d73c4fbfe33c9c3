import { readFileSync } from 'node:fs'

/** Limits of a piece of work in CPU time, because a busy machine leaves a child little; the clock is for a child that hangs. */
export type Bounds = { memoryMb: number; cpuSeconds: number; clockSeconds: number }

const EVERY_MS = 50

/** `clock` says nothing about the work: the machine may have been busy. */
export type Excess = 'time' | 'memory' | 'clock'

/** Calls `exceeded` once when a process is over its limits. Returns the stop function. */
export function watch(pid: number, limits: Bounds, exceeded: (what: Excess) => void): () => void {
  const startedAt = performance.now()
  const spentBefore = cpuSeconds(pid)
  const timer = setInterval(() => {
    const what = excess()
    if (!what) return
    clearInterval(timer)
    exceeded(what)
  }, EVERY_MS)
  const excess = (): Excess | undefined => {
    if (cpuSeconds(pid) - spentBefore > limits.cpuSeconds) return 'time'
    if (residentMb(pid) > limits.memoryMb) return 'memory'
    return (performance.now() - startedAt) / 1000 > limits.clockSeconds ? 'clock' : undefined
  }
  return () => clearInterval(timer)
}

/** Without /proc, the clock and the limits from a picture's header remain. */
function readProc(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8')
  } catch {
    return ''
  }
}

const residentMb = (pid: number) => Number(/VmRSS:\s*(\d+)/.exec(readProc(pid, 'status'))?.[1] ?? 0) / 1024

/** The program's name is in parentheses and may hold spaces; the kernel counts in hundredths of a second. */
function cpuSeconds(pid: number): number {
  const [user = 0, system = 0] = readProc(pid, 'stat')
    .split(') ')
    .at(-1)!
    .split(' ')
    .slice(11, 13)
    .map(Number)
  return (user + system) / 100
}
