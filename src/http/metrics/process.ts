import { readdirSync, readFileSync, statfsSync } from 'node:fs'
import { config } from '@/config/config'
import { counted, gauge, Histogram, type Sample } from '@/core/metrics'
import { VERSION } from '@/core/version'

/** `parent` only supervises API processes. */
export type Role = 'api' | 'worker' | 'all' | 'parent'

let role: Role = 'all'

gauge('folkmoot_build_info', 'The release that runs; always 1.', () => [
  [{ version: VERSION, bun: Bun.version, role }, 1],
])

counted('process_cpu_seconds_total', 'Seconds of the processor that were used.', () => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000_000
})
gauge('process_resident_memory_bytes', 'Resident memory.', () => process.memoryUsage.rss())
gauge('process_heap_bytes', 'Memory of live and dead objects.', () => process.memoryUsage().heapUsed)
gauge(
  'process_start_time_seconds',
  'When the process began, since 1970.',
  () => Math.round(performance.timeOrigin) / 1000,
)
gauge('process_uptime_seconds', 'Seconds since the start.', () => process.uptime())
gauge('process_open_fds', 'Files and connections that are open.', () =>
  ifThere(() => readdirSync('/proc/self/fd').length),
)
gauge('process_max_fds', 'Files and connections that may be open.', () =>
  ifThere(() => {
    const [, soft] = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? []
    return soft === undefined ? null : Number(soft)
  }),
)

/** The disks of the embedded database and of uploads; a full one stops both. */
const places = (): [string, string][] => {
  const { address } = config.storage
  return [
    ['data', config.dataDir],
    ...(address.kind === 'disk' ? [['uploads', address.folder] as [string, string]] : []),
  ]
}

const ofDisks = (read: (disk: { bsize: number; bavail: number; blocks: number }) => number) => (): Sample[] =>
  places().flatMap(([place, folder]) => {
    const value = ifThere(() => read(statfsSync(folder)))
    return value === null ? [] : [[{ place }, value] as Sample]
  })

gauge(
  'folkmoot_disk_free_bytes',
  'What is free on the disk of the data folder, and of uploaded files.',
  ofDisks(({ bavail, bsize }) => bavail * bsize),
)
gauge(
  'folkmoot_disk_size_bytes',
  'The size of that disk.',
  ofDisks(({ blocks, bsize }) => blocks * bsize),
)

const lag = new Histogram(
  'folkmoot_event_loop_lag_seconds',
  'How much later than asked for the event loop came back, four times a second.',
  [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5],
)
const LOOK_MS = 250

/** Starts the measurements that cost something even without a scrape. */
export function watchProcess(as: Role) {
  role = as
  const series = lag.of()
  let expected = performance.now() + LOOK_MS
  setInterval(() => {
    const at = performance.now()
    lag.observe(series, Math.max(0, at - expected) / 1000)
    expected = at + LOOK_MS
  }, LOOK_MS).unref()
}

/** Omits what this system does not report. */
function ifThere(read: () => number | null): number | null {
  try {
    return read()
  } catch {
    return null
  }
}
