import { dirname, resolve } from 'node:path'
import { isLocked } from '../data-lock'
import {
  closeCluster,
  createCluster,
  readPassword,
  removeLeftovers,
  renewPassword,
  requireSameVersion,
} from './cluster'
import { explainFileError } from './error'
import { readPidFile } from './pidfile'
import { findRunning, launch, launchUntilReady, terminate } from './postmaster'
import { chooseSite, existingCluster, type Say, type Site, type StartContext } from './site'
import { supervise } from './supervisor'

export { EmbeddedPostgresError } from './error'
export type { Say } from './site'

export type EmbeddedPostgres = { readonly url: string; readonly pid: number; stop(): Promise<void> }

export type EmbeddedPostgresOptions = {
  dataDir: string
  settings?: Record<string, string>
  log?: Say
  /** Aborts the start, which cleans up and fails. */
  signal?: AbortSignal
  /** Runs in a new database before it is visible. */
  firstStatement?: string | undefined
  /** The root of a package with binaries; default: that of this release. */
  binaries?: string | undefined
}

export const hasEmbeddedPostgres = (dataDir: string) => existingCluster(resolve(dataDir)) !== undefined

/** The address of a running server's PostgreSQL; undefined if none is ready. */
export function findEmbeddedPostgres(dataDir: string): string | undefined {
  const cluster = existingCluster(resolve(dataDir))
  const port = cluster === undefined ? undefined : portOf(cluster, dataDir)
  const password = readPassword(resolve(dataDir))
  return port && password ? addressOf(password, port) : undefined
}

/** A sandboxed systemd unit does not see processes of others: then the lock confirms the pid file. */
function portOf(cluster: string, dataDir: string): number | undefined {
  const said = readPidFile(cluster)
  if (said?.status !== 'ready') return undefined
  return findRunning(cluster) !== undefined || isLocked(dataDir) ? said.port : undefined
}

const addressOf = (password: string, port: number) =>
  `postgres://folkmoot:${password}@127.0.0.1:${port}/folkmoot`

/** Runs the PostgreSQL that we ship. It ends on stop, or with this process. */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const context: StartContext = {
    dataDir: resolve(options.dataDir),
    settings: options.settings ?? {},
    log: options.log ?? (() => {}),
    signal: options.signal,
    firstStatement: options.firstStatement,
    binaries: options.binaries,
  }
  try {
    return await start(context)
  } catch (error) {
    throw explainFileError(error, context.dataDir)
  }
}

async function start(context: StartContext): Promise<EmbeddedPostgres> {
  const site = await chooseSite(context)
  const password = site.isNew ? await createCluster(site, context) : await openCluster(site, context)
  const postmaster = await launchUntilReady(site, context)
  const { port } = postmaster
  const supervised = supervise(postmaster, () => launch(site, context, port), context.log)
  return {
    url: addressOf(password, port),
    get pid() {
      return supervised.pid
    },
    stop: supervised.stop,
  }
}

async function openCluster(site: Site, context: StartContext): Promise<string> {
  requireSameVersion(site)
  closeCluster(site.cluster)
  removeLeftovers(dirname(site.cluster))
  await endEarlier(site, context)
  return readPassword(context.dataDir) ?? renewPassword(site, context)
}

/** Ends the PostgreSQL that an earlier run left, because its guardian may be ending it as well. */
async function endEarlier(site: Site, context: StartContext): Promise<void> {
  const running = findRunning(site.cluster)
  if (!running) return
  context.log(`PostgreSQL of an earlier run is still there (process ${running.pid}): it is ended first.`)
  await terminate(running)
}
