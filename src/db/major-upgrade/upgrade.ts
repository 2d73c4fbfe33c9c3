import * as fs from 'node:fs'
import { readdirSync, statfsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { closedDataFolder } from '@/config/data-folder'
import { ConfigError } from '@/config/error'
import { dump } from '../backup/dump'
import { analyze, load } from '../backup/load'
import { findPackage, shippedVersion, withLibraryLinks } from '../embedded-postgres/binaries'
import { majorVersion } from '../embedded-postgres/cluster'
import { existingCluster, setAside } from '../embedded-postgres/site'
import { startEmbeddedPostgres } from '../embedded-postgres/start'
import { MARKING } from '../migrate/unfinished-restore'
import { oldBinaries } from './old-binaries'

/** An empty cluster with its WAL. */
const EMPTY_CLUSTER = 150 * 1024 * 1024

/** Refuses an upgrade without disk space for the copy: both databases exist at its end. */
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

export type Upgraded = { from: number; to: number; rows: number; tables: number; kept: string }

/** The new cluster is built here, as in a data folder, until it is complete. */
const workshopOf = (dataDir: string) => join(dataDir, 'upgrading')
const placeOf = (dataDir: string) => join(dataDir, 'postgres')
const asideOf = (dataDir: string, major: number) => join(dataDir, `postgres-${major}`)

/**
 * Copies the embedded database into one of the shipped PostgreSQL. The old one is only read, and moved aside once the copy is
 * complete and equal. The caller holds the lock of the data folder.
 */
export async function upgradeCluster(
  dataDir: string,
  binaries: string | undefined,
  onTable: (table: string) => void,
): Promise<Upgraded> {
  const cluster = existingCluster(dataDir)
  if (cluster === undefined) throw new ConfigError(`There is no database in ${dataDir}.`)
  const from = majorVersion(cluster)
  const to = Number.parseInt(await shippedVersion(withLibraryLinks(findPackage(), dataDir)), 10)
  if (from === to)
    throw new ConfigError(
      `The database in ${dataDir} is of PostgreSQL ${to} already: there is nothing to do.`,
    )
  if (from > to)
    throw new ConfigError(
      `The database in ${dataDir} is of PostgreSQL ${from}, and this release brings ${to}: go back to the release that made it.`,
    )
  if (setAside(dataDir).includes(from))
    throw new ConfigError(`${asideOf(dataDir, from)} is there from an earlier upgrade: move it away first.`)
  requireSpace(dataDir, cluster)
  fs.rmSync(workshopOf(dataDir), { recursive: true, force: true })
  const old = await oldBinaries(from, dataDir, binaries)
  try {
    const copied = await copyCluster(dataDir, old.root, onTable)
    fs.renameSync(placeOf(dataDir), asideOf(dataDir, from))
    fs.renameSync(placeOf(workshopOf(dataDir)), placeOf(dataDir))
    return { from, to, ...copied, kept: asideOf(dataDir, from) }
  } finally {
    old.done()
    fs.rmSync(workshopOf(dataDir), { recursive: true, force: true })
  }
}

async function copyCluster(dataDir: string, binaries: string, onTable: (table: string) => void) {
  const source = await startEmbeddedPostgres({ dataDir, binaries })
  try {
    // Both share a password, so that the file beside them fits whichever is in place.
    closedDataFolder(workshopOf(dataDir))
    fs.copyFileSync(join(dataDir, 'postgres-password'), join(workshopOf(dataDir), 'postgres-password'))
    const target = await startEmbeddedPostgres({ dataDir: workshopOf(dataDir), firstStatement: MARKING })
    try {
      return await copyRows(source.url, target.url, onTable)
    } finally {
      await target.stop()
    }
  } finally {
    await source.stop()
  }
}

const copyRows = (from: string, to: string, onTable: (table: string) => void) =>
  dump(from, async ({ read, ...shape }) => {
    let rows = 0
    await load(to, shape, (feed) =>
      read(async (table, part) => {
        onTable(table)
        rows += part.count
        await feed(table, part.bytes)
      }),
    )
    await analyze(to)
    return { rows, tables: shape.tables.length }
  })

export type Undone = { from: number; to: number; kept: string | null }

/** Restores the database that the last upgrade moved aside; moves the newer one aside. */
export function undoUpgrade(dataDir: string): Undone {
  const place = placeOf(dataDir)
  const present = fs.lstatSync(place, { throwIfNoEntry: false }) ? majorVersion(fs.realpathSync(place)) : null
  const older = setAside(dataDir)
    .filter((major) => major < (present ?? Number.POSITIVE_INFINITY))
    .at(-1)
  if (older === undefined)
    throw new ConfigError(`No upgrade has put a database aside in ${dataDir}: there is nothing to put back.`)
  // A name of its own, because no upgrade moved it aside.
  const kept = present === null ? null : `${asideOf(dataDir, present)}-undone`
  if (kept !== null) {
    if (fs.existsSync(kept)) throw new ConfigError(`${kept} is there from before: move it away first.`)
    fs.renameSync(place, kept)
  }
  fs.renameSync(asideOf(dataDir, older), place)
  return { from: present ?? older, to: older, kept }
}
