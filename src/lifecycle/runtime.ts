import { look } from './process-table'
import { RUNTIME_OPTIONS } from './runtime-options'

/** The words that the process was started with, which whoever looks for it knows it by. */
const command = (process.platform === 'linux' && look(process.pid)?.command) || [
  process.argv0,
  ...process.execArgv,
  ...process.argv.slice(1),
]

// The runtime reads its options before anything of ours: a process that began without them begins anew, in its own place.
// The units and the image name them, which spares the second beginning.
const isComplete = Object.keys(RUNTIME_OPTIONS).every((name) => process.env[name] !== undefined)
const environment = { ...RUNTIME_OPTIONS, ...process.env } as Record<string, string>
if (!isComplete && process.execve !== undefined)
  try {
    process.execve(process.execPath, command, environment)
  } catch {
    // Without them it serves as well, and takes more memory.
  }
