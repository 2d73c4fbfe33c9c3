import { randomBytes } from 'node:crypto'
import * as fs from 'node:fs'
import { dirname, join } from 'node:path'
import { isReadOnly } from '@/config/data-folder'
import { program } from './binaries'
import { type Outcome, type Runner, type RunOptions, run } from './command'
import { diskFull, EmbeddedPostgresError, isAboutSpace, meaningfulLines } from './error'
import { giveTo, namespaced } from './identity'
import type { Site, StartContext } from './site'

const namelessUser = /could not look up effective user ID/

/** Creates the cluster in a temporary folder and renames it when complete; returns the password. */
export async function createCluster(site: Site, context: StartContext): Promise<string> {
  const folder = dirname(site.cluster)
  removeLeftovers(folder)
  const password = readPassword(context.dataDir) ?? writePassword(context.dataDir)
  const workshop = join(folder, `postgres.new-${randomBytes(4).toString('hex')}`)
  try {
    await buildCluster(site, context, workshop, password)
    putInPlace(join(workshop, 'cluster'), site.cluster, join(context.dataDir, 'postgres'))
  } finally {
    fs.rmSync(workshop, { recursive: true, force: true })
  }
  context.log(`A new database was created in ${site.cluster} (PostgreSQL ${site.version}).`)
  return password
}

/** Removes what a killed start left; a program still running there fails and ends. */
export function removeLeftovers(folder: string): void {
  const leftovers = fs.readdirSync(folder).filter((name) => name.startsWith('postgres.new-'))
  for (const name of leftovers) fs.rmSync(join(folder, name), { recursive: true, force: true, maxRetries: 5 })
}

export function readPassword(dataDir: string): string | undefined {
  const path = passwordFile(dataDir)
  return fs.existsSync(path) ? fs.readFileSync(path, 'utf8').trim() || undefined : undefined
}

/** Sets a new password if the password file was lost; PostgreSQL must not be running. */
export async function renewPassword(site: Site, context: StartContext): Promise<string> {
  const password = newPassword()
  await runAlone(site, context, site.cluster, `ALTER ROLE folkmoot PASSWORD '${password}'`)
  savePassword(context.dataDir, password)
  context.log(`The file ${passwordFile(context.dataDir)} was missing: the database has a new password.`)
  return password
}

export function requireSameVersion(site: Site): void {
  const found = majorVersion(site.cluster)
  const shipped = Number.parseInt(site.version, 10)
  if (found === shipped) return
  throw new EmbeddedPostgresError(
    `The database in ${site.cluster} is of PostgreSQL ${found} but PostgreSQL ${shipped} is shipped here: ` +
      'go back to the release that made it' +
      (found < shipped ? ', run "folkmoot backup" there, and "folkmoot restore" here.' : '.'),
  )
}

function majorVersion(cluster: string): number {
  const path = join(cluster, 'PG_VERSION')
  if (!fs.existsSync(path)) {
    throw new EmbeddedPostgresError(
      `The folder ${cluster} is not a PostgreSQL cluster: restore it from a backup, or move it away.`,
    )
  }
  return Number.parseInt(fs.readFileSync(path, 'utf8'), 10)
}

/** PostgreSQL refuses a cluster that a copy or restore left readable to others. */
export function closeCluster(cluster: string): void {
  const mode = fs.statSync(cluster).mode & 0o777
  if ((mode & 0o077) === 0) return
  if (isReadOnly())
    throw new EmbeddedPostgresError(
      `The database in ${cluster} is open to others (mode ${mode.toString(8)}), and PostgreSQL refuses it so: ` +
        `run "chmod go= ${cluster}", or start the server, which closes it.`,
    )
  fs.chmodSync(cluster, 0o700)
}

function writePassword(dataDir: string): string {
  const password = newPassword()
  savePassword(dataDir, password)
  return password
}

async function buildCluster(site: Site, context: StartContext, workshop: string, password: string) {
  const cluster = join(workshop, 'cluster')
  const file = join(workshop, 'password')
  fs.mkdirSync(workshop, { mode: 0o700 })
  fs.writeFileSync(file, password, { mode: 0o600 })
  giveTo(site.runner, file)
  giveTo(site.runner, workshop)
  const args = initdbArguments(cluster, file, context)
  const outcome = await runNamed(site.runner, program(site.binaries, 'initdb'), args, {
    signal: context.signal,
  })
  if (outcome.code !== 0) throw creationError(outcome, context.dataDir)
  await runAlone(site, context, cluster, 'CREATE DATABASE folkmoot')
  if (context.firstStatement) await runAlone(site, context, cluster, context.firstStatement, 'folkmoot')
}

function initdbArguments(cluster: string, passwordPath: string, context: StartContext): string[] {
  return [
    `--pgdata=${cluster}`,
    `--pwfile=${passwordPath}`,
    '--username=folkmoot',
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale=C',
    // Defines letters for pg_trgm: with C alone a search for a Cyrillic or Chinese name reads every row.
    ...(process.platform === 'linux' ? ['--lc-ctype=C.UTF-8'] : []),
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--no-instructions',
    ...(isWithoutSync(context) ? ['--no-sync'] : []),
  ]
}

/** One statement in single-user mode, because no SQL client is shipped. */
async function runAlone(
  site: Site,
  context: StartContext,
  cluster: string,
  statement: string,
  database = 'postgres',
) {
  const options = ['-c', 'exit_on_error=on', ...(isWithoutSync(context) ? ['-c', 'fsync=off'] : [])]
  const args = ['--single', '-D', cluster, ...options, database]
  const outcome = await runNamed(site.runner, program(site.binaries, 'postgres'), args, {
    input: `${statement}\n`,
    signal: context.signal,
  })
  if (outcome.code !== 0) throw creationError(outcome, context.dataDir)
}

// Both programs need a user with a name, which a container with a bare user id lacks: 65534 has one.
async function runNamed(runner: Runner, path: string, args: string[], options: RunOptions): Promise<Outcome> {
  const outcome = await run(runner, path, args, options)
  if (!namelessUser.test(outcome.output) || runner.prefix.length > 0) return outcome
  const renamed = await run({ ...runner, prefix: namespaced.prefix }, path, args, options)
  return renamed.code === 0 ? renamed : outcome
}

function creationError(outcome: Outcome, dataDir: string): EmbeddedPostgresError {
  if (isAboutSpace(outcome.output)) return diskFull(dataDir)
  if (namelessUser.test(outcome.output)) {
    return new EmbeddedPostgresError(
      'PostgreSQL needs a user with a name, and the user id that runs it has none here: ' +
        'add it to /etc/passwd, start the server as another user, or set DATABASE_URL.',
    )
  }
  const reason = outcome.error?.message ?? meaningfulLines(outcome.output)
  return new EmbeddedPostgresError(
    `The database in ${dataDir} could not be prepared (${reason}): mend that, or set DATABASE_URL.`,
  )
}

function putInPlace(complete: string, cluster: string, visible: string): void {
  // An empty folder may exist there.
  if (fs.existsSync(visible)) fs.rmdirSync(visible)
  fs.renameSync(complete, cluster)
  if (dirname(cluster) !== fs.realpathSync(dirname(visible))) fs.symlinkSync(cluster, visible)
}

function newPassword(): string {
  return randomBytes(24).toString('hex')
}

function savePassword(dataDir: string, password: string): void {
  const path = passwordFile(dataDir)
  fs.writeFileSync(`${path}.new`, `${password}\n`, { mode: 0o600 })
  fs.renameSync(`${path}.new`, path)
}

function passwordFile(dataDir: string): string {
  return join(dataDir, 'postgres-password')
}

function isWithoutSync(context: StartContext): boolean {
  return context.settings.fsync === 'off'
}
