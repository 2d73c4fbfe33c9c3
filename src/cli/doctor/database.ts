import { config } from '@/config/config'
import { databaseAddresses } from '@/config/database-address'
import { now, nowMs } from '@/core/clock'
import { db } from '@/db/client'
import { type Examination, examineDatabase } from '@/db/examine'
import { findLastBackup } from '@/db/last-backup'
import { direct } from '@/db/servers/direct'
import { countUnfinished } from '@/http/metrics/unfinished'
import { findHeartbeatAge } from '@/jobs/queries'
import { tokenOf } from '@/modules/access/feed-tokens/secrets'
import { secretsOf } from '@/modules/developers/webhooks/secrets'
import { counted, lasting } from '../units'
import { type Finding, ok, split, warning, wrong } from './finding'
import { findPeople, findSealed, findWork } from './queries'
import { aboutStandbys } from './standbys'

const CLOCK_WARNING_MS = 2000
const CLOCK_WRONG_MS = 30_000
const CONNECTIONS_LEFT = 5

/** `hosts` is the result for the address's hosts: on a warning one of them does not answer. */
export async function checkDatabase(url: string, hosts: Finding['state']): Promise<Finding[]> {
  const found = await examineDatabase(url)
  return [
    aboutServer(found),
    aboutPooler(found),
    ...aboutStandbys(found, databaseAddresses(direct(url)).length > 1, hosts),
    aboutConnections(found),
    aboutClock(found),
    aboutMigrations(found),
  ]
}

function aboutServer({ version, encoding, refusal }: Examination): Finding {
  if (refusal !== undefined) return split('database', refusal)
  const which = config.databaseUrl === null ? 'the embedded one' : 'that of DATABASE_URL'
  return ok('database', `PostgreSQL ${version}, ${which}, in ${encoding}; its user may do what it has to.`)
}

function aboutPooler({ pooler: { mode, hasWayPast, refusal } }: Examination): Finding {
  if (refusal !== undefined) return split('pooler', refusal)
  if (mode === 'none') return ok('pooler', 'None stands between this machine and PostgreSQL.')
  return ok('pooler', `One in ${mode} mode${hasWayPast ? ', and DATABASE_DIRECT_URL leads past it' : ''}.`)
}

function aboutConnections({ connections: { used, max } }: Examination): Finding {
  const found = `${used} of ${max} are in use.`
  return max - used < CONNECTIONS_LEFT
    ? wrong(
        'connections',
        found,
        'Raise max_connections of PostgreSQL, or lower DATABASE_POOL and WORKER_POOL.',
      )
    : ok('connections', found)
}

function aboutClock({ clockAheadMs }: Examination): Finding {
  const off = Math.abs(clockAheadMs)
  const found = `The clock of the database is ${(off / 1000).toFixed(1)} seconds ${clockAheadMs < 0 ? 'behind' : 'ahead of'} this machine's.`
  const todo = 'Let both machines set their clocks by NTP: signatures and links count in minutes.'
  if (off > CLOCK_WRONG_MS) return wrong('clock', found, todo)
  return off > CLOCK_WARNING_MS ? warning('clock', found, todo) : ok('clock', found)
}

function aboutMigrations({ migrations }: Examination): Finding {
  if ('refusal' in migrations) return split('migrations', migrations.refusal)
  const { known, pending } = migrations
  return pending.length === 0
    ? ok('migrations', `All ${known} of this release have been run.`)
    : warning(
        'migrations',
        `${counted(pending.length, 'migration')} of this release ${pending.length === 1 ? 'has' : 'have'} not been run: ${named(pending)}.`,
        'Take a backup; then run "folkmoot migrate", or start the server.',
      )
}

const NAMES_MAX = 3

const named = (names: string[]) =>
  names.length > NAMES_MAX ? `${names.slice(0, NAMES_MAX).join(', ')} …` : names.join(', ')

/** Whether the key decrypts the secrets of this database. */
export async function checkKey(): Promise<Finding[]> {
  const sealed = await findSealed(db)
  const opened = [
    ...sealed.webhooks.map(({ id, secret }) => opensWebhook(id, secret)),
    ...sealed.feeds.map((row) => tokenOf(row) !== null),
  ]
  if (opened.length === 0)
    return [ok('key', 'Nothing is encrypted yet that could tell whether SECRET_KEY is the right one.')]
  const open = opened.filter(Boolean).length
  if (open === opened.length) return [ok('key', 'SECRET_KEY opens what is encrypted in the database.')]
  const todo =
    'Bring back the key that the database was used with, from the backup. Without it, webhooks need new secrets and people’s own feeds new addresses.'
  return [
    open === 0
      ? wrong('key', 'SECRET_KEY is not the one that this database was used with.', todo)
      : warning(
          'key',
          `Of ${opened.length} secrets in the database SECRET_KEY opens ${open}: it was changed once.`,
          todo,
        ),
  ]
}

function opensWebhook(id: string, secret: Uint8Array): boolean {
  try {
    return secretsOf({ id, secret, oldSecrets: [] }, now()).length > 0
  } catch {
    return false
  }
}

export async function checkPeople(): Promise<Finding[]> {
  const { administrators, demo, use } = await findPeople(db)
  return [
    administrators > 0
      ? ok('administrators', `There ${administrators === 1 ? 'is 1' : `are ${administrators}`}.`)
      : wrong('administrators', 'There is none.', 'Run "folkmoot admin create <address>".'),
    use === 'demo' || demo > 0
      ? wrong(
          'demo',
          use === 'demo'
            ? 'This database is the demo, whose tokens lie open in demo.json.'
            : `${counted(demo, 'person', 'people')} of the demo ${demo === 1 ? 'is' : 'are'} in this database, with tokens that lie open in demo.json.`,
          use === 'demo'
            ? 'Set DATA_DIR or DATABASE_URL to a separate one before other people can reach this server.'
            : 'Delete these people (DELETE /v1/admin/users/{userId}), or restore the backup from before the demo.',
        )
      : ok('demo', 'No demo users.'),
  ]
}

/** A worker's heartbeat comes every ten seconds. The alert, which wakes people, allows for a restart. */
const HEARTBEAT_LATE_SECONDS = 20
const RELAY_LATE_SECONDS = 120
const REACTION_LATE_SECONDS = 300
const LETTER_LATE_SECONDS = 900

export async function checkWork(): Promise<Finding[]> {
  const [{ dead, ...work }, heartbeatSeconds] = await Promise.all([findWork(db), findHeartbeatAge(db)])
  const isAlive = heartbeatSeconds !== null && heartbeatSeconds <= HEARTBEAT_LATE_SECONDS
  const late = (
    [
      ['Work', work.relaySeconds, RELAY_LATE_SECONDS],
      ['A reaction to an event', work.reactionSeconds, REACTION_LATE_SECONDS],
      ['A letter', work.letterSeconds, LETTER_LATE_SECONDS],
    ] as const
  ).filter(([, seconds, limit]) => seconds !== null && seconds > limit)
  const isBehind = late.length > 0
  const sign =
    heartbeatSeconds === null
      ? 'No worker has given a sign of life.'
      : `The last sign of life of a worker is ${lasting(heartbeatSeconds)} old.`
  const waiting = late
    .map(([what, seconds]) => ` ${what} has waited for ${lasting(seconds as number)}.`)
    .join('')
  // The embedded database has only the server's own worker.
  const todo = isAlive
    ? 'See "folkmoot jobs" for what waits, and the log of the worker for what fails. A second worker helps if it is merely too much.'
    : config.databaseUrl === null
      ? 'Start the server, without WORKER=none, and look into its log.'
      : 'Start "bun run worker", or the server without WORKER=none, and look into its log.'
  const found = `${sign}${waiting}`
  return [
    isAlive && !isBehind
      ? ok('worker', found)
      : isBehind
        ? wrong('worker', found, todo)
        : warning('worker', found, todo),
    dead > 0
      ? warning('given up', `${counted(dead, 'item')} of work failed for good.`, 'See "folkmoot jobs dead".')
      : ok('given up', 'No failed work.'),
  ]
}

export async function checkUnfinished(): Promise<Finding[]> {
  const { sweeps } = await import('@/areas')
  const found = (await countUnfinished(sweeps)).filter(({ count }) => count > 0)
  return [
    found.length === 0
      ? ok('unfinished', 'No work in batches is unfinished.')
      : warning(
          'unfinished',
          `Work in batches is in progress or was interrupted: ${found.map(({ kind, count }) => `${kind} (${count})`).join(', ')}.`,
          'A worker resumes it within a minute. If this stays, look for "sweep failed" in its log.',
        ),
  ]
}

const BACKUP_OLD_SECONDS = 2 * 86_400

export async function checkBackup(): Promise<Finding[]> {
  const last = await findLastBackup(db)
  const todo =
    'Run "folkmoot backup --to <folder> --keep 14" every night, and keep a copy away from this machine.'
  if (last === null) return [warning('backup', 'No run of "folkmoot backup" is known.', todo)]
  const seconds = Math.max(0, Math.floor((nowMs() - last.getTime()) / 1000))
  const found = `The last one was made ${lasting(seconds)} ago.`
  return [seconds > BACKUP_OLD_SECONDS ? warning('backup', found, todo) : ok('backup', found)]
}
