import type { Caller } from '@/core/caller'
import type { BusMessage } from '@/core/domain-events'
import { notFound } from '@/core/errors'
import { type Db, db, type Tx } from '@/db/client'
import { cache } from '@/outbox/cache'
import { presentDetail } from './present'
import { findGroup, findGroupIdByUrlname, findGroupWithRole, type GroupRow, listUpcoming } from './queries'
import type { GroupDetail } from './schema'

/** Unlisted groups are visible only to their staff and administrators; null is an anonymous caller. */
export function mayKnowGroup(
  reader: Db | Tx,
  caller: Caller | null,
  { id, isListed }: Pick<GroupRow, 'id' | 'isListed'>,
): boolean | Promise<boolean> {
  if (isListed || caller?.scopes.has('admin')) return true
  if (caller === null) return false
  return findGroupWithRole(reader, id, caller.userId).then((found) => (found?.role ?? null) !== null)
}

/** Async only if not cached: promises cost 4 % of `GET /v1/public/groups/{slug}`. */
export function visibleGroup(caller: Caller | null, slug: string): KnownGroup | Promise<KnownGroup> {
  const found = groupNamed(slug)
  return found instanceof Promise
    ? found.then((known) => demandKnown(caller, known))
    : demandKnown(caller, found)
}

function demandKnown(caller: Caller | null, found: KnownGroup | null): KnownGroup | Promise<KnownGroup> {
  if (found === null) throw notFound('Group')
  const given = (may: boolean) => {
    if (!may) throw notFound('Group')
    return found
  }
  const may = mayKnowGroup(db, caller, found.group)
  return may instanceof Promise ? may.then(given) : given(may)
}

type KnownGroup = { group: GroupRow; detail: GroupDetail }

/** Groups with their next event. Events end without a message, hence the short maximum age. */
const known = cache<KnownGroup | null>({
  max: 5000,
  maxAgeMs: 1000,
  load: async (id) => {
    const [group, upcoming] = await Promise.all([rows.get(id), listUpcoming(id)])
    return group && { group, detail: presentDetail(group, upcoming) }
  },
  drops: droppedBy(/^(group|event)\./),
})

/** Group rows alone, which events do not invalidate. */
const rows = cache<GroupRow | null>({ max: 5000, load: findGroup, drops: droppedBy(/^group\./) })

function droppedBy(types: RegExp) {
  return (message: BusMessage, drop: { key(id: string): void; all(): void }) => {
    const { type, data } = message
    if (types.test(type) && 'groupId' in data && data.groupId) drop.key(data.groupId)
    // Deleting a user deletes their favorites, which changes counts of any number of groups.
    if (type === 'user.deleted') drop.all()
  }
}

/** Group ids by name. Entries may be stale: readers verify that the group still has the name. */
const holders = cache<string | null>({ max: 5000, load: findGroupIdByUrlname, drops: () => {} })

/** Async only if not cached, as `visibleGroup` is. */
function groupNamed(slug: string): KnownGroup | null | Promise<KnownGroup | null> {
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
