import { availableParallelism } from 'node:os'
import { ConfigError } from './error'
import type { Reader } from './reader'

const PROCESSES_MAX = 64

/** The number of API processes; `auto` means one per core. */
export function processes(read: Reader, port: number): number {
  const isAuto = read.text('PROCESSES', '') === 'auto'
  const isLinux = process.platform === 'linux'
  const count = isAuto
    ? Math.min(isLinux ? availableParallelism() : 1, PROCESSES_MAX)
    : read.whole('PROCESSES', 1, 1, PROCESSES_MAX, 'auto, or ')
  if (count === 1) return count
  if (!isLinux)
    throw new ConfigError('PROCESSES needs Linux, where processes can share a port: set it to 1, or to auto.')
  if (port === 0)
    throw new ConfigError('PORT must be a number from 1 up when there are several PROCESSES: they share it.')
  return count
}
