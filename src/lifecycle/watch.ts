import { readFileSync } from 'node:fs'

/**
 * Bounds of a piece of work. Time is counted by the processor, since a machine that is busy elsewhere leaves a child little
 * of it; the clock is for a child that does nothing at all.
 */
export type Bounds = { memoryMb: number; cpuSeconds: number; clockSeconds: number }

const EVERY_MS = 50

/** `clock` says nothing of the work: a busy machine may have left the child no processor. */
export type Excess = 'time' | 'memory' | 'clock'

/** Calls `exceeded` once, when a process has taken more than its work may cost. Gives the way to stop watching. */
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

/** Where the system has no /proc, the clock and the bounds that are read from a picture's header remain. */
function readProc(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8')
  } catch {
    return ''
  }
}

const residentMb = (pid: number) => Number(/VmRSS:\s*(\d+)/.exec(readProc(pid, 'status'))?.[1] ?? 0) / 1024

/** The name of the program stands in parentheses and may hold spaces; the kernel counts in hundredths of a second. */
function cpuSeconds(pid: number): number {
  const [user = 0, system = 0] = readProc(pid, 'stat')
    .split(') ')
    .at(-1)!
    .split(' ')
    .slice(11, 13)
    .map(Number)
  return (user + system) / 100
}
