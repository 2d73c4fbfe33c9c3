import { createHash, randomBytes } from 'node:crypto'
import * as fs from 'node:fs'
import { dirname, join } from 'node:path'
import { closedDataFolder } from '@/config/data-folder'
import { chownCommand, nameOf } from '@/config/owner'
import { canRun, copyPackage, findPackage, shippedVersion, withLibraryLinks } from './binaries'
import type { Runner } from './command'
import { EmbeddedPostgresError } from './error'
import { blockedFolder, canLiveIn, createFolder, isRoot, namespaced, nobody, ourselves } from './identity'

export type Say = (sentence: string, level?: 'info' | 'error') => void

export type StartContext = {
  dataDir: string
  settings: Record<string, string>
  log: Say
  /** Aborts the start. */
  signal?: AbortSignal
  /** Runs in a new database before it is visible. */
  firstStatement?: string | undefined
  /** The root of a package with binaries; default: that of this release. */
  binaries?: string | undefined
}

/** Where the cluster is, which binaries serve it and who runs them. */
export type Site = { cluster: string; isNew: boolean; binaries: string; runner: Runner; version: string }

// For root only, if other users cannot enter the data folder or the checkout.
const sharedFolder = '/var/lib/folkmoot'

export async function chooseSite({ dataDir, log, binaries: root }: StartContext): Promise<Site> {
  closedDataFolder(dataDir)
  fs.accessSync(dataDir, fs.constants.W_OK | fs.constants.X_OK)
  const binaries = withLibraryLinks(root ?? findPackage(), dataDir)
  const version = await shippedVersion(binaries)
  const existing = existingCluster(dataDir)
  const chosen = existing ? await siteOf(existing, binaries) : await newSite(dataDir, binaries, log)
  return { ...chosen, isNew: !existing, version }
}

type Choice = Pick<Site, 'cluster' | 'binaries' | 'runner'>

export function existingCluster(dataDir: string): string | undefined {
  const path = join(dataDir, 'postgres')
  const stat = fs.lstatSync(path, { throwIfNoEntry: false })
  if (!stat) return
  if (!fs.existsSync(path)) {
    throw new EmbeddedPostgresError(
      `The database of ${path} is missing at ${fs.readlinkSync(path)}: bring it back, ` +
        'or remove the link to begin with an empty database.',
    )
  }
  if (!isRoot()) requireOwnership(dataDir, path)
  return fs.readdirSync(path).length > 0 ? fs.realpathSync(path) : undefined
}

function requireOwnership(dataDir: string, cluster: string): void {
  const owner = fs.statSync(cluster).uid
  const me = process.getuid?.()
  if (me === undefined || owner === me) return
  const real = fs.realpathSync(cluster)
  const folders = dirname(real) === fs.realpathSync(dataDir) ? [dataDir] : [dataDir, real]
  throw new EmbeddedPostgresError(
    `The database in ${cluster} belongs to ${nameOf(owner)}, and this is run by ${nameOf(me)}: ` +
      `as root, run "${chownCommand(...folders)}" while no server runs on it.`,
  )
}

// A cluster keeps its owner.
async function siteOf(cluster: string, binaries: string): Promise<Choice> {
  const { uid, gid } = fs.statSync(cluster)
  if (!isRoot()) return { cluster, binaries, runner: ourselves }
  if (uid === 0) return { cluster, binaries, runner: await requireNamespace(cluster, binaries) }
  const runner = { prefix: [], uid, gid }
  requirePassage(dirname(cluster), runner)
  return { cluster, runner, binaries: await binariesFor(runner, binaries) }
}

async function requireNamespace(cluster: string, binaries: string): Promise<Runner> {
  if (await canRun(binaries, namespaced)) return namespaced
  throw new EmbeddedPostgresError(
    `The database in ${cluster} belongs to root, which works only where "unshare --user" is permitted: ` +
      `run "chown -R 65534:65534 ${cluster}", or start the server as an ordinary user that owns this folder.`,
  )
}

function requirePassage(folder: string, runner: Runner): void {
  const blocked = blockedFolder(folder, runner)
  if (!blocked) return
  throw new EmbeddedPostgresError(
    `The database runs as user id ${runner.uid}, which may not enter ${blocked}: run "chmod o+x ${blocked}".`,
  )
}

async function binariesFor(runner: Runner, binaries: string): Promise<string> {
  if (await canRun(binaries, runner)) return binaries
  createFolder(sharedFolder, 0o755)
  const copy = copyPackage(binaries, sharedFolder)
  if (await canRun(copy, runner)) return copy
  throw new EmbeddedPostgresError(
    `PostgreSQL does not run as root and cannot be started as user id ${runner.uid} here: ` +
      'start the server as an ordinary user, or set DATABASE_URL to a PostgreSQL server.',
  )
}

async function newSite(dataDir: string, binaries: string, log: (message: string) => void): Promise<Choice> {
  const cluster = join(fs.realpathSync(dataDir), 'postgres')
  if (!isRoot()) return { cluster, binaries, runner: ourselves }
  const suited = candidates(dataDir).filter((runner) => canLiveIn(dataDir, runner))
  for (const runner of suited) if (await canRun(binaries, runner)) return { cluster, binaries, runner }
  const runner = suited.find(({ uid }) => uid !== undefined)
  const usable = await binariesFor(runner ?? nobody, binaries)
  if (runner) return { cluster, binaries: usable, runner }
  const elsewhere = clusterOutside(dataDir)
  log(`PostgreSQL does not run as root, and ${dataDir} is closed to others: its files go to ${elsewhere}.`)
  return { cluster: elsewhere, binaries: usable, runner: nobody }
}

function candidates(dataDir: string): Runner[] {
  const { uid, gid } = fs.statSync(dataDir)
  return uid === 0 ? [nobody, namespaced] : [nobody, { prefix: [], uid, gid }, namespaced]
}

// The random part keeps the database of a deleted data folder from reappearing under a new one.
function clusterOutside(dataDir: string): string {
  const hash = createHash('sha256').update(fs.realpathSync(dataDir)).digest('hex').slice(0, 12)
  createFolder(join(sharedFolder, hash), 0o711)
  return join(sharedFolder, hash, `postgres-${randomBytes(3).toString('hex')}`)
}
