import { type DatabaseAddress, databaseAddresses, wantsWrites } from '@/config/database-address'
import { LOOK, openForLook } from './look'

/** How long the others may take to answer, once one has said that it takes writes. */
const GRACE_MS = 300
const SEARCH_MS = 2500

const known = new Map<string, DatabaseAddress>()
const searches = new Map<string, Promise<DatabaseAddress>>()

/** Is told of the host that was found, and of others that take writes as well: an old primary that was not told that it is none. */
type Tell = (host: string, others: string[]) => void
let tell: Tell = () => {}
let last: Parameters<Tell> | undefined

/** The first search is before the first connection of a pool, so what it found is told at once. */
export function onPrimary(hear: Tell) {
  tell = hear
  if (last) hear(...last)
}

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

const hostOf = ({ address }: DatabaseAddress) => new URL(address).host

async function search(url: string): Promise<DatabaseAddress> {
  const addresses = databaseAddresses(url)
  const answers: Answer[] = []
  const { promise: enough, resolve } = Promise.withResolvers<void>()
  const asking = addresses.map(async (address) => {
    const answer = await ask(address)
    answers.push(answer)
    if (answer.timeline !== undefined) setTimeout(resolve, GRACE_MS)
  })
  await Promise.race([Promise.all(asking), enough, Bun.sleep(SEARCH_MS)])
  // Each promotion begins the next timeline, so the last to be promoted is the primary.
  const [primary, ...others] = answers
    .filter(({ timeline }) => timeline !== undefined)
    .sort((one, two) => (two.timeline as number) - (one.timeline as number))
  if (!primary) throw nobody(answers)
  known.set(url, primary.address)
  last = [hostOf(primary.address), others.map(({ address }) => hostOf(address))]
  tell(...last)
  return primary.address
}

/** The timeline of a host that takes writes; a promotion begins the next one. */
type Answer = { address: DatabaseAddress; timeline?: number; error?: unknown }

async function ask(address: DatabaseAddress): Promise<Answer> {
  const client = openForLook(address)
  try {
    const [look] = await client.unsafe(LOOK)
    if (look?.isReadOnly) return { address }
    const [row] = await client.unsafe('select left(pg_walfile_name(pg_current_wal_lsn()), 8) as timeline')
    return { address, timeline: Number.parseInt(row?.timeline, 16) }
  } catch (error) {
    return { address, error }
  } finally {
    void client.end({ timeout: 0 })
  }
}

/** Why no host serves: one that answered and does not take writes yet, before one that is away. */
function nobody(answers: Answer[]): unknown {
  const failed = answers.find(({ error }) => error !== undefined)?.error
  if (answers.every(({ error }) => error !== undefined) && failed) return failed
  return Object.assign(new Error('No host of the database takes writes'), { code: '25006' })
}
