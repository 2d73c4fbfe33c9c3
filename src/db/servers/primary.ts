import { type DatabaseAddress, databaseAddresses, wantsWrites } from '@/config/database-address'
import { leave } from './held'
import { askHosts, type Host } from './hosts'

/** How long the others may take to answer, once one has said that it takes writes. */
const GRACE_MS = 300

const known = new Map<string, DatabaseAddress>()
const searches = new Map<string, Promise<DatabaseAddress>>()

/** What a look at several hosts has shown. */
export type Sight = {
  /** The host that writes go to. */
  host?: string
  /** Others that take writes as well: old primaries that were not told that they are none. */
  others: string[]
  /** Those that take writes and have missed a promotion. */
  old: { host: string; timeline: number; latest: number; connections: number }[]
}
type Tell = (sight: Sight) => void
let tell: Tell = () => {}
let last: Sight | undefined

/** The first search is before the first connection of a pool, so what it found is told at once. */
export function onPrimary(hear: Tell) {
  tell = hear
  if (last) hear(last)
}

/** Whether all that took writes at the last look have missed a promotion, so that none of them gets any. */
export const isWithoutPromoted = () => last !== undefined && last.host === undefined && last.old.length > 0

/** The host of an address that takes writes. Where it names one host, that is it, and nobody is asked. */
export function primaryOf(url: string): DatabaseAddress | Promise<DatabaseAddress> {
  if (!wantsWrites(url)) return databaseAddresses(url)[0] as DatabaseAddress
  const found = known.get(url) ?? searches.get(url)
  if (found) return found
  const searching = search(url).finally(() => searches.delete(url))
  searches.set(url, searching)
  return searching
}

/** Called when a connection to the primary failed or took no writes: the next one looks for it. */
export const forgetPrimary = (url: string) => void known.delete(url)

async function search(url: string): Promise<DatabaseAddress> {
  const answers: Host[] = []
  const { promise: enough, resolve } = Promise.withResolvers<void>()
  const asking = askHosts(url).map(async (asked) => {
    const host = await asked
    answers.push(host)
    if (host.takesWrites) setTimeout(resolve, GRACE_MS)
  })
  await Promise.race([Promise.all(asking), enough])
  const primary = judge(url, answers)
  if (!primary) throw nobody(answers)
  known.set(url, primary.address)
  return primary.address
}

/** Looks at all hosts while one of them is written to: another may have been promoted without a word to this process. */
export async function lookAround(url: string): Promise<Host[]> {
  const hosts = await Promise.all(askHosts(url))
  judge(url, hosts)
  return hosts
}

/** Finds the primary among those that answered, and leaves those that have missed a promotion. */
function judge(url: string, answers: Host[]): Host | undefined {
  rememberTimelines(answers)
  const order = databaseAddresses(url).map(({ address }) => address)
  // The last to be promoted is the primary; of two that are alike, all processes take the same one.
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
  tell(last)
  return primary
}

/** Why no host serves: one that answered and does not take writes yet, before one that is away. */
function nobody(answers: Host[]): unknown {
  const failed = answers.find(({ error }) => error !== undefined)?.error
  if (answers.every(({ error }) => error !== undefined) && failed) return failed
  return Object.assign(new Error('No host of the database takes writes'), { code: '25006' })
}

/**
 * The latest timeline that this process has seen of each database. Each promotion begins the next one, so whoever takes writes on
 * an earlier one is a primary of old, and what is written there is lost to everybody else. It is never forgotten: the promoted
 * server may be away for a moment.
 */
const latest = new Map<string, number>()

function rememberTimelines(hosts: Host[]) {
  for (const { system, timeline } of hosts)
    if (system !== undefined && timeline !== undefined && timeline > latestOf(system))
      latest.set(system, timeline)
}

const latestOf = (system = '') => latest.get(system) ?? 0

/** The timeline that a host has missed, if it has missed one. */
function missedBy({ system, timeline }: Host): number | undefined {
  return timeline !== undefined && timeline < latestOf(system) ? latestOf(system) : undefined
}
