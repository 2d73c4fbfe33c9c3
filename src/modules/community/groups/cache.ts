import type { BusMessage } from '@/core/domain-events'
import { cache } from '@/outbox/cache'
import { presentDetail } from './present'
import { findGroup, findGroupIdByUrlname, type GroupRow, listUpcoming } from './queries'
import type { GroupDetail } from './schema'

export type KnownGroup = { group: GroupRow; detail: GroupDetail }

/** Groups with their next event. Events end by the clock, without a message, hence the short age. */
const known = cache<KnownGroup | null>({
  max: 5000,
  maxAgeMs: 1000,
  load: async (id) => {
    const group = await findGroup(id)
    return group && { group, detail: presentDetail(group, await listUpcoming(id)) }
  },
  drops: (message, drop) => {
    const groupId = groupTouchedBy(message)
    if (groupId) drop.key(groupId)
    // A person's favorites are deleted with them, and change the counts of any number of groups.
    if (message.type === 'user.deleted') drop.all()
  },
})

function groupTouchedBy({ type, data }: BusMessage): string | undefined {
  return /^(group|event)\./.test(type) && 'groupId' in data ? (data.groupId ?? undefined) : undefined
}

/** Group ids by name. An entry may be out of date: its reader checks that the group still has the name. */
const holders = cache<string | null>({ max: 5000, load: findGroupIdByUrlname, drops: () => {} })

export function groupNamed(slug: string): KnownGroup | null | Promise<KnownGroup | null> {
  const key = slug.toLowerCase()
  const id = holders.get(key)
  if (id instanceof Promise || id === null) return lookUp(key)
  const found = known.get(id)
  if (found instanceof Promise || !holds(found, key)) return lookUp(key)
  return found
}

async function lookUp(key: string): Promise<KnownGroup | null> {
  const id = await holders.get(key)
  if (id === null) return null
  const found = await known.get(id)
  if (holds(found, key)) return found
  holders.drop.key(key)
  const holder = await holders.get(key)
  return holder === null ? null : known.get(holder)
}

const holds = (found: KnownGroup | null, key: string): found is KnownGroup =>
  found?.group.urlname.toLowerCase() === key
