import { readFileSync } from 'node:fs'

/** Bounds of the work on one file. A photo of 50 million pixels needs about a third of them. */
const MEMORY_KB = 768 * 1024
const CPU_SECONDS = 30
/** A machine that is busy elsewhere may leave the child little of its processor. */
const CLOCK_MS = 120_000
const EVERY_MS = 50

export type Excess = 'time' | 'memory'

/** Calls `exceeded` once, when a process has taken more than one file may cost. Gives the way to stop watching. */
export function watch(pid: number, exceeded: (what: Excess) => void): () => void {
  const startedAt = performance.now()
  const spentBefore = cpuSeconds(pid)
  const timer = setInterval(() => {
    const isLate = performance.now() - startedAt > CLOCK_MS || cpuSeconds(pid) - spentBefore > CPU_SECONDS
    const what = isLate ? 'time' : residentKb(pid) > MEMORY_KB ? 'memory' : undefined
    if (!what) return
    clearInterval(timer)
    exceeded(what)
  }, EVERY_MS)
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

const residentKb = (pid: number) => Number(/VmRSS:\s*(\d+)/.exec(readProc(pid, 'status'))?.[1] ?? 0)

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
