import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { RUNTIME_OPTIONS } from '../src/lifecycle/runtime'
import { checked, shotAt } from './compare'
import type { Generator } from './load/generator'
import { median } from './median'
import { onBothCores } from './pin'
import type { Row } from './rows'
import type { Seed } from './seed'
import { type Server, type Surroundings, startServer } from './server'

const STARTS = 21
export const START = `spawn to ready, median of ${STARTS}`
export const MEMORY_REQUESTS = 200_000
const SLICE_SECONDS = 2

const MAKE_BUNDLE = join(import.meta.dir, '../src/lifecycle/make-bundle.ts')

/** Milliseconds from spawn to the first answer that says ready, from a bundle, as the unit starts it, with a database that is up. */
export async function timeToReady(surroundings: Surroundings): Promise<number> {
  const { exitCode, stderr } = Bun.spawnSync([process.execPath, MAKE_BUNDLE])
  if (exitCode !== 0) throw new Error(`No bundle was made: ${stderr}`)
  const times: number[] = []
  for (let i = 0; i < STARTS; i += 1) {
    const server = await startServer(surroundings, RUNTIME_OPTIONS, onBothCores)
    times.push(server.readyMs)
    await server.stop()
  }
  return median(times)
}

/** Resident megabytes once the server has answered its share. It also warms the server for the rows. */
export async function residentMegabytes(
  row: Row,
  server: Server,
  seed: Seed,
  generator: Generator,
): Promise<number> {
  const shot = shotAt(server.url, row, seed)
  for (let sent = 0; sent < MEMORY_REQUESTS; )
    sent += checked(await generator.fire(shot, SLICE_SECONDS)).requests
  return residentBytes(server.pid) / 1e6
}

export function residentBytes(pid: number): number {
  const kilobytes =
    process.platform === 'linux'
      ? /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
      : Bun.spawnSync(['ps', '-o', 'rss=', '-p', String(pid)]).stdout.toString()
  return Number(kilobytes) * 1024
}
