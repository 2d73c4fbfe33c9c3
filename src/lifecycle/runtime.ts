import { look } from './process-table'

/**
 * No collection below 32 MB: loading a server exceeds the runtime's default of 8 MB, and those collections freed nothing and
 * delayed every start.
 */
const SMALL_HEAP_BYTES = 32 * 1024 * 1024

/**
 * Heap growth before the next full collection: 100 %, the runtime's default on machines with up to 16 GB; on larger ones the heap
 * would grow to three times the live data. A lower value, or a smaller assumed machine, makes a large heap collect again and
 * again (docs/performance.md).
 */
export const RUNTIME_OPTIONS = {
  BUN_JSC_heapGrowthMaxIncrease: '1',
  BUN_JSC_largeHeapSize: String(SMALL_HEAP_BYTES),
}

/** Keeps the original command line, by which others find the process. */
const command = (process.platform === 'linux' && look(process.pid)?.command) || [
  process.argv0,
  ...process.execArgv,
  ...process.argv.slice(1),
]

// The runtime reads its options first: a process without them re-executes itself. Units and the image set them to avoid that.
const isComplete = Object.keys(RUNTIME_OPTIONS).every((name) => process.env[name] !== undefined)
const environment = { ...RUNTIME_OPTIONS, ...process.env } as Record<string, string>
if (!isComplete && process.execve !== undefined)
  try {
    process.execve(process.execPath, command, environment)
  } catch {
    // Works without them, with more memory.
  }
