import { look } from './process-table'
import { RUNTIME_OPTIONS } from './runtime-options'

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
