import { type DatabaseAddress, databaseAddresses, wantsWrites } from '@/config/database-address'
import { type Host, queryHosts } from './hosts'
import { leave } from './look'

/** Time for the other hosts to answer, once one takes writes. */
const GRACE_MS = 300

const known = new Map<string, DatabaseAddress>()
const searches = new Map<string, Promise<DatabaseAddress>>()

/** The result of probing several hosts. */
export type ProbeResult = {
  /** The host for writes. */
  host?: string
  /** Others that take writes: old primaries that were not demoted. */
  others: string[]
  /** Hosts that take writes and missed a promotion. */
  old: { host: string; timeline: number; latest: number; connections: number }[]
}
type Listener = (sight: ProbeResult) => void
let listener: Listener = () => {}
let last: ProbeResult | undefined

/** The first probe precedes the first connection, so its result is reported at once. */
export function onPrimary(newListener: Listener) {
  listener = newListener
  if (last) newListener(last)
}

/** Whether all writable hosts missed a promotion, so that none gets writes. */
export const isWithoutPromoted = () => last !== undefined && last.host === undefined && last.old.length > 0

/** The primary of an address. A single host is not probed. */
export function primaryOf(url: string): DatabaseAddress | Promise<DatabaseAddress> {
  if (!wantsWrites(url)) return databaseAddresses(url)[0] as DatabaseAddress
  const found = known.get(url) ?? searches.get(url)
  if (found) return found
  const searching = search(url).finally(() => searches.delete(url))
  searches.set(url, searching)
  return searching
}

/** Called after a failed or read-only connection: the next one probes again. */
export const forgetPrimary = (url: string) => void known.delete(url)

async function search(url: string): Promise<DatabaseAddress> {
  const answers: Host[] = []
  const { promise: enough, resolve } = Promise.withResolvers<void>()
  const asking = queryHosts(url).map(async (asked) => {
    const host = await asked
    answers.push(host)
    if (host.takesWrites) setTimeout(resolve, GRACE_MS)
  })
  await Promise.race([Promise.all(asking), enough])
  const primary = choosePrimary(url, answers)
  if (!primary) throw noPrimary(answers)
  known.set(url, primary.address)
  return primary.address
}

/** Probes all hosts while one is in use: another may have been promoted. */
export async function probeHosts(url: string): Promise<Host[]> {
  const hosts = await Promise.all(queryHosts(url))
  choosePrimary(url, hosts)
  return hosts
}

/** Finds the primary among the answers, and drops hosts that missed a promotion. */
function choosePrimary(url: string, answers: Host[]): Host | undefined {
  rememberTimelines(answers)
  const order = databaseAddresses(url).map(({ address }) => address)
  // The last promoted is the primary; ties break the same way in all processes.
  const writers = answers
    .filter(({ takesWrites }) => takesWrites)
    .sort(
      (one, two) =>
        (two.timeline as number) - (one.timeline as number) ||
        order.indexOf(one.address.address) - order.indexOf(two.address.address),
    )
  const old = writers.flatMap((host) => {
    const missed = missedBy(host)
    if (missed === undefined) return []
    if (known.get(url)?.address === host.address.address) known.delete(url)
    return [
      {
        host: host.name,
        timeline: host.timeline as number,
        latest: missed,
        connections: leave(host.address.address),
      },
    ]
  })
  const fit = writers.filter((host) => missedBy(host) === undefined)
  const primary = fit.find(({ address }) => address.address === known.get(url)?.address) ?? fit[0]
  last = {
    host: primary?.name,
    others: writers.filter((host) => host !== primary).map(({ name }) => name),
    old,
  }
  listener(last)
  return primary
}

/** Why no host serves: one that answered but takes no writes yet, before one that is unreachable. */
function noPrimary(answers: Host[]): unknown {
  const failed = answers.find(({ error }) => error !== undefined)?.error
  if (answers.every(({ error }) => error !== undefined) && failed) return failed
  return Object.assign(new Error('No host of the database takes writes'), { code: '25006' })
}

/**
 * The latest timeline seen of each database. Each promotion begins the next, so a host that takes writes on an earlier one is an
 * old primary, whose writes are lost. Never forgotten: the promoted server may be unreachable for a moment.
 */
const latest = new Map<string, number>()

function rememberTimelines(hosts: Host[]) {
  for (const { system, timeline } of hosts)
    if (system !== undefined && timeline !== undefined && timeline > latestOf(system))
      latest.set(system, timeline)
}

const latestOf = (system = '') => latest.get(system) ?? 0

function missedBy({ system, timeline }: Host): number | undefined {
  return timeline !== undefined && timeline < latestOf(system) ? latestOf(system) : undefined
}
