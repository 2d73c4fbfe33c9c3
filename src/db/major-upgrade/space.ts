import { readdirSync, statfsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { ConfigError } from '@/config/error'

/** What a new cluster takes before it holds anything, with its log of changes. */
const EMPTY_CLUSTER = 150 * 1024 * 1024

/** Refuses an upgrade for whose copy there is no room: both databases are there at its end. */
export function requireSpace(
  dataDir: string,
  cluster: string,
  free = freeIn(dataDir),
  needed = Math.ceil(1.1 * sizeOf(join(cluster, 'base'))) + EMPTY_CLUSTER,
): void {
  if (free >= needed) return
  const inMb = (bytes: number) => `${Math.ceil(bytes / 1_000_000).toLocaleString('en')} MB`
  throw new ConfigError(
    `The upgrade makes a copy of the database and needs ${inMb(needed)} in ${dataDir}, where ${inMb(free)} are free: free some space first.`,
  )
}

function freeIn(folder: string): number {
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize
}

const sizeOf = (folder: string): number =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0)
