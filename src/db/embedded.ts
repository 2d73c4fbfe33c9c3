import { dirname, resolve } from 'node:path'
import {
  closeCluster,
  createCluster,
  readPassword,
  removeLeftovers,
  renewPassword,
  requireSameVersion,
} from './embedded/cluster'
import { explainFileError } from './embedded/error'
import { findRunning, launch, launchUntilReady, type Postmaster, terminate } from './embedded/postmaster'
import { chooseSite, type Site, type StartContext } from './embedded/site'
import { supervise } from './embedded/supervisor'

export { EmbeddedPostgresError } from './embedded/error'

export type EmbeddedPostgres = { readonly url: string; readonly pid: number; stop(): Promise<void> }

export type EmbeddedPostgresOptions = {
  dataDir: string
  settings?: Record<string, string>
  log?: (message: string) => void
}

/** Runs the PostgreSQL that is shipped with us, or takes over the one that an earlier run left. */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const context: StartContext = {
    dataDir: resolve(options.dataDir),
    settings: options.settings ?? {},
    log: options.log ?? (() => {}),
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
  const postmaster = (await adopt(site, context)) ?? (await launchUntilReady(site, context))
  const { port } = postmaster
  const supervised = supervise(postmaster, () => launch(site, context, port), context.log)
  return {
    url: `postgres://folkmoot:${password}@127.0.0.1:${port}/folkmoot`,
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
  const password = readPassword(context.dataDir)
  if (password) return password
  const running = findRunning(site.cluster)
  if (running) await terminate(running)
  return renewPassword(site, context)
}

async function adopt(site: Site, context: StartContext): Promise<Postmaster | undefined> {
  const running = findRunning(site.cluster)
  if (!running) return
  if (await running.becomesReady()) {
    context.log(`PostgreSQL of an earlier run still works (process ${running.pid}): it is used again.`)
    return running
  }
  await terminate(running)
}
