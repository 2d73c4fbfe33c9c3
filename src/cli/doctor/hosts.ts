import { config } from '@/config/config'
import { databaseAddresses } from '@/config/database-address'
import { direct } from '@/db/servers/direct'
import { type Host, queryHosts } from '@/db/servers/hosts'
import { lasting } from '../units'
import { type Finding, ok, warning, whyOf, wrong } from './finding'
import { knowsOfPromotion } from './server'

const hostsOf = (url: string) => Promise.all(queryHosts(direct(url)))

/** The hosts of DATABASE_URL, if several: one takes writes, and none has a later timeline. */
export async function checkHosts(): Promise<Finding[]> {
  const url = config.databaseUrl
  if (url === null || databaseAddresses(direct(url)).length < 2) return []
  const hosts = await hostsOf(url)
  const writers = hosts.filter(({ takesWrites }) => takesWrites)
  const [primary] = writers
  if (primary === undefined)
    return [
      wrong(
        'hosts',
        `None takes writes: ${listed(hosts)}.`,
        'Start the primary or, if it is lost, promote the standby: "When the primary is lost" in docs/operations/growing.md has the commands.',
      ),
    ]
  if (writers.length > 1)
    return [
      wrong(
        'hosts',
        `More than one takes writes: ${listed(writers)}.`,
        'Stop all but the one of the latest timeline; see "When the old primary comes back" in docs/operations/growing.md.',
      ),
    ]
  const later = hosts.find(({ timeline = 0 }) => timeline > (primary.timeline as number))
  if (later)
    return [
      wrong(
        'hosts',
        `The one that takes writes has missed a promotion: ${listed([primary, later])}.`,
        'Stop it, and start the one that was promoted last.',
      ),
    ]
  const found = `Writes go to ${primary.name}: ${listed(hosts)}.`
  if (hosts.every(({ error }) => error === undefined)) return [ok('hosts', found)]
  if (await knowsOfPromotion())
    return [
      wrong(
        'hosts',
        `${primary.name} has missed a promotion, which the server on this machine has seen: ${listed(hosts)}.`,
        `Stop PostgreSQL on ${primary.name}, and start the one that was promoted last. Reset nothing there: what is acknowledged without the promoted one is lost when that is back.`,
      ),
    ]
  return [
    warning(
      'hosts',
      found,
      `Look at the machine that does not answer first. If there is a file above ${historyOf(primary)} in its pg_wal, it was promoted after ${primary.name} and has the latest writes, and what is acknowledged without it is lost when it is back: stop ${primary.name}, and start that one (${LOOK_FIRST}). Otherwise let it be a standby again ("The old machine becomes the new standby" there), let this machine and the user in where it refuses (listen_addresses, pg_hba.conf), or take it out of DATABASE_URL.`,
    ),
  ]
}

export const LOOK_FIRST = '"Which one was promoted last?" in docs/operations/growing.md'

/** The file that the promotion to its timeline left. */
const historyOf = ({ timeline = 0 }: Host) =>
  `${timeline.toString(16).toUpperCase().padStart(8, '0')}.history`

const listed = (hosts: Host[]) => hosts.map(inWords).join('; ')

const inWords = ({ name, takesWrites, timeline, error }: Host) =>
  error === undefined
    ? `${name} ${takesWrites ? 'takes writes' : 'is a standby'} on timeline ${timeline}`
    : `${name} cannot be asked, ${whyOf(error)}`

/** The hosts of DATABASE_REPLICA_URL: standbys of the same database, without much lag. */
export async function checkReplicas(): Promise<Finding[]> {
  const { databaseUrl, replicas } = config
  if (databaseUrl === null || replicas.url === null) return []
  const [servers, followers] = await Promise.all([hostsOf(databaseUrl), hostsOf(replicas.url)])
  const primary = servers.find(({ takesWrites }) => takesWrites)
  return followers.map((replica) => judge(replica, primary, replicas.maxLagSeconds))
}

function judge(replica: Host, primary: Host | undefined, maxLagSeconds: number): Finding {
  const { name, error, takesWrites, system, position = 0n, replayedSecondsAgo } = replica
  if (error !== undefined)
    return warning(
      'replica',
      `${name} cannot be asked: ${whyOf(error)}.`,
      'Start it, or mend its address, user and password in DATABASE_REPLICA_URL; the primary is read meanwhile.',
    )
  if (takesWrites)
    return warning(
      'replica',
      `${name} takes writes: it is a primary, and is not read as a replica.`,
      'Set DATABASE_REPLICA_URL to standbys.',
    )
  if (primary === undefined)
    return warning('replica', `${name} has no upstream that answers.`, 'Fix the database first.')
  if (system !== primary.system)
    return warning(
      'replica',
      `${name} is a standby of another database.`,
      'Set DATABASE_REPLICA_URL to standbys of that of DATABASE_URL.',
    )
  const age = replayedSecondsAgo ?? 0
  if (position < (primary.position ?? 0n) && age > maxLagSeconds)
    return warning(
      'replica',
      `${name} is behind: what it replayed last is ${lasting(age)} old.`,
      'Look into its log and at pg_stat_replication of the primary; the primary is read meanwhile.',
    )
  return ok('replica', `${name} follows, and is read for public lists.`)
}
