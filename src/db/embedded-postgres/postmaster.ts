import type { ChildProcess } from 'node:child_process'
import { type AddressInfo, connect, createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { guard } from '@/lifecycle/guardian'
import { program } from './binaries'
import { spawnAs } from './command'
import { diskFull, EmbeddedPostgresError, errorCode, isAboutSpace } from './error'
import { logPath, openLog } from './logfile'
import { clearStalePidFile, isPostmaster, readPidFile } from './pidfile'
import type { Site, StartContext } from './site'

function freePort(): Promise<number> {
  return new Promise((done, fail) => {
    const server = createServer()
    server.on('error', fail)
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo
      server.close(() => done(port))
    })
  })
}

/** Sends an SSLRequest and waits for the answer: the kernel accepts connections even for a hanging process. */
function answersPostgres(port: number, patience: number): Promise<boolean> {
  return new Promise((done) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(sslRequest))
    const finish = (answered: boolean) => {
      socket.destroy()
      done(answered)
    }
    socket.setTimeout(patience, () => finish(false))
    socket.on('data', () => finish(true))
    socket.on('error', () => finish(false))
    socket.on('close', () => finish(false))
  })
}

const sslRequest = Buffer.from([0, 0, 0, 8, 0x04, 0xd2, 0x16, 0x2f])

export type Postmaster = {
  pid: number
  port: number
  isAlive(): boolean
  /** False if it has ended, is shutting down or does not answer. */
  becomesReady(): Promise<boolean>
  /** Resolves with the reason when the process ends. */
  untilEnd(): Promise<string>
}

const defaultSettings = { shared_buffers: '128MB', max_connections: '100', log_checkpoints: 'off' }

/** Statements, parameters and error details hold user input, so they are not logged. */
const discreetSettings = {
  log_error_verbosity: 'terse',
  log_min_error_statement: 'panic',
  log_parameter_max_length: '0',
  log_parameter_max_length_on_error: '0',
}

/** Starts on a free port; retries transient failures (port taken, old backends still ending). */
export async function launchUntilReady(site: Site, context: StartContext): Promise<Postmaster> {
  for (let attempt = 1; ; attempt++) {
    const postmaster = launch(site, context, await freePort())
    if (await readyWithNotice(postmaster, context)) return postmaster
    await terminate(postmaster)
    const reason = await postmaster.untilEnd()
    context.signal?.throwIfAborted()
    const isPassing = /could not create any TCP|still in use|lock file .* already exists/.test(reason)
    if (!isPassing || attempt === 25) throw startError(reason, site, context)
    await sleep(200)
  }
}

export function launch(site: Site, context: StartContext, port: number): Postmaster {
  clearStalePidFile(site.cluster)
  const log = openLog(context.dataDir)
  const args = postgresArguments(site.cluster, context.settings, port)
  const stdio = ['ignore' as const, log.descriptor, log.descriptor]
  const child = spawnAs(site.runner, program(site.binaries, 'postgres'), args, stdio)
  log.close()
  child.unref()
  const pid = child.pid ?? 0
  const release = pid > 0 ? guard(pid, 'postmaster') : () => {}
  const end = endOf(child).then((how) => {
    release()
    return [how, log.lastErrors()].filter(Boolean).join(': ')
  })
  const isAlive = () => pid > 0 && child.exitCode === null && child.signalCode === null
  const isWanted = () => isAlive() && context.signal?.aborted !== true
  const becomesReady = () => waitUntilReady(site.cluster, pid, port, isWanted)
  return { pid, port, isAlive, becomesReady, untilEnd: () => end }
}

/** The postmaster that a killed server left, if it still runs for this cluster. */
export function findRunning(cluster: string): Postmaster | undefined {
  const found = readPidFile(cluster)
  if (!found || !isPostmaster(found.pid, cluster)) return
  const { pid, port } = found
  const isAlive = () => isPostmaster(pid, cluster)
  const becomesReady = () => waitUntilReady(cluster, pid, port, isAlive)
  return { pid, port, isAlive, becomesReady, untilEnd: () => untilGone(isAlive) }
}

/** Fast shutdown first, then harder signals. */
export async function terminate(postmaster: Postmaster): Promise<void> {
  for (const [signal, patience] of [
    ['SIGINT', 5000],
    ['SIGQUIT', 3000],
    ['SIGKILL', 3000],
  ] as const) {
    if (!postmaster.isAlive()) return
    sendSignal(postmaster.pid, signal)
    const deadline = Date.now() + patience
    while (postmaster.isAlive() && Date.now() < deadline) await sleep(10)
  }
}

async function readyWithNotice(postmaster: Postmaster, { log }: StartContext): Promise<boolean> {
  const notice = setTimeout(() => log('PostgreSQL is still repairing its files after a crash.'), 10_000)
  const isReady = await postmaster.becomesReady()
  clearTimeout(notice)
  return isReady
}

function startError(reason: string, site: Site, { dataDir }: StartContext): EmbeddedPostgresError {
  if (isAboutSpace(reason)) return diskFull(dataDir)
  return new EmbeddedPostgresError(
    `PostgreSQL does not start with the database in ${site.cluster} (${reason}): ` +
      `see ${logPath(dataDir)}, and restore a backup if the files are damaged.`,
  )
}

function postgresArguments(cluster: string, settings: Record<string, string>, port: number): string[] {
  const fixed = { listen_addresses: '127.0.0.1', port: String(port), unix_socket_directories: '' }
  const all = Object.entries({ ...defaultSettings, ...settings, ...discreetSettings, ...fixed })
  return ['-D', cluster, ...all.flatMap(([name, value]) => ['-c', `${name}=${value}`])]
}

function endOf(child: ChildProcess): Promise<string> {
  return new Promise((done) => {
    child.on('error', (error) => done(error.message))
    child.on('exit', (code, signal) => done(signal ? `signal ${signal}` : `exit code ${code}`))
  })
}

async function waitUntilReady(cluster: string, pid: number, port: number, isWanted: () => boolean) {
  while (isWanted()) {
    const file = readPidFile(cluster)
    const status = file?.pid === pid ? file.status : ''
    if (status === 'stopping') return false
    if (status === 'ready') return answersPostgres(port, 5000)
    await sleep(5)
  }
  return false
}

// Not our child, so it emits no exit event.
async function untilGone(isAlive: () => boolean): Promise<string> {
  while (isAlive()) await sleep(1000, undefined, { ref: false })
  return 'reason unknown'
}

function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    // It has just ended.
    if (errorCode(error) !== 'ESRCH') throw error
  }
}
