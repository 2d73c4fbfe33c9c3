import { config } from '@/config/config'
import { DAY_MS, now } from '@/core/clock'
import { notFound } from '@/core/errors'
import { db } from '@/db/client'
import { snapshot } from '@/db/transaction'
import { findFeedToken } from '@/modules/access/feed-tokens/queries'
import { tokenOf } from '@/modules/access/feed-tokens/secrets'
import type { GroupRow } from '@/modules/community/groups/queries'
import { visibleGroup } from '@/modules/community/groups/visible'
import { filterOf } from '@/modules/gatherings/events/list/filter'
import type { EventFilters } from '@/modules/gatherings/events/schema'
import { readPublic } from '@/outbox/replicas'
import { addressesOf, type FeedAddress } from './address'
import type { FeedEvent, FeedHead } from './feed'
import { hubUrl } from './hub'
import { listOwn, listSide } from './list-queries'
import { namesOf } from './names'
import { listFavoriteGroupIds } from './queries'

/** Calendar programs handle about this many. */
const EVENTS_MAX = 1000
const DAYS_BACK = 90
/** How often a feed of past events is refreshed. */
const PAST_LOOK_MS = 60_000

export type Selection = {
  head: FeedHead
  events: FeedEvent[]
  /** Groups whose changes invalidate it; null means all. */
  groupIds: ReadonlySet<string> | null
  /** When time alone makes it stale. */
  endsAt: number
}

/** A feed address that was resolved to existing rows. */
export type Found =
  | { address: FeedAddress & { kind: 'events' } }
  | { address: FeedAddress & { kind: 'group' }; group: GroupRow }
  | { address: FeedAddress & { kind: 'person' }; token: string }

export async function find(address: FeedAddress): Promise<Found> {
  if (address.kind === 'events') return { address }
  if (address.kind === 'group') return { address, group: (await visibleGroup(null, address.slug)).group }
  const kept = await findFeedToken(db, address.userId)
  const token = kept && tokenOf(kept)
  if (!token) throw notFound('Feed')
  return { address, token }
}

export function select(found: Found): Promise<Selection> {
  if ('token' in found) return selectOwn(found.address, found.token)
  return 'group' in found ? selectGroup(found.address, found.group) : selectEvents(found.address)
}

async function selectEvents(address: FeedAddress & { kind: 'events' }): Promise<Selection> {
  const found = await listed(address.filters)
  return {
    ...found,
    groupIds: null,
    head: head(address, {
      title: `${['Events', ...namesOf(address.filters)].join(' · ')} · ${config.siteName}`,
      description: `What is on at ${config.siteName}`,
      pageUrl: `${config.baseUrl}/events`,
    }),
  }
}

async function selectGroup(address: FeedAddress & { kind: 'group' }, group: GroupRow): Promise<Selection> {
  const found = await listed(address.filters, group.urlname)
  return {
    ...found,
    groupIds: new Set([group.id]),
    head: head(
      { ...address, slug: group.urlname },
      {
        title: `${[group.name, ...namesOf(address.filters)].join(' · ')} · ${config.siteName}`,
        description: `Events of ${group.name}`,
        pageUrl: `${config.baseUrl}/groups/${encodeURIComponent(group.urlname)}`,
      },
    ),
  }
}

/** Public events, plus those with the reader's RSVP. */
async function selectOwn(address: FeedAddress & { kind: 'person' }, token: string): Promise<Selection> {
  const { userId } = address
  const [at, from] = [now(), daysBack()]
  const [events, favorites] = await snapshot(async (tx) => [
    await nearest(BOTH, (side, most) => listOwn(tx, userId, { from, at, side, most })),
    await listFavoriteGroupIds(tx, userId),
  ])
  const groupIds = new Set(favorites)
  for (const { groupId } of events) groupIds.add(groupId)
  return {
    events: events.sort(byStart),
    groupIds,
    endsAt: endOf(events, { at, isFull: events.length >= EVENTS_MAX, isWindow: true }),
    head: head(
      address,
      {
        title: `My events · ${config.siteName}`,
        description: `Your favorite groups and your RSVPs at ${config.siteName}`,
        pageUrl: `${config.baseUrl}/events`,
      },
      token,
    ),
  }
}

const head = (
  address: FeedAddress,
  words: Pick<FeedHead, 'title' | 'description' | 'pageUrl'>,
  token?: string,
): FeedHead => ({
  ...words,
  addresses: addressesOf(address, token),
  hubUrl: hubUrl(),
})

/** The same events as the list with these filters; without filters, also recent past and cancelled ones. */
async function listed(given: EventFilters, group?: string) {
  const hasOwn = Object.keys(given).length > 0
  const at = now()
  const filters: EventFilters = hasOwn
    ? given
    : { status: 'all', cancelled: 'include', from: daysBack().toISOString() }
  const filter = filterOf(group === undefined ? filters : { ...filters, group }, at)
  const sides = filter.when === 'all' ? BOTH : [filter.when]
  const events = await readPublic((on) =>
    snapshot((tx) => nearest(sides, (side, most) => listSide(tx, filter, side, most)), on),
  )
  const isFull = events.length >= EVENTS_MAX
  return {
    events: events.sort(byStart),
    endsAt:
      filter.when === 'past'
        ? at.getTime() + PAST_LOOK_MS
        : endOf(events, { at, isFull: isFull || filter.when === 'upcoming', isWindow: !hasOwn }),
  }
}

const BOTH = ['upcoming', 'past'] as const

/** Upcoming events first, then the latest past ones, so that a full feed never drops upcoming events. */
async function nearest<S, R>(
  sides: readonly S[],
  list: (side: S, most: number) => Promise<R[]>,
): Promise<R[]> {
  const found: R[] = []
  for (const side of sides)
    if (found.length < EVENTS_MAX) found.push(...(await list(side, EVENTS_MAX - found.length)))
  return found
}

const byStart = (a: FeedEvent, b: FeedEvent) =>
  a.startTime.getTime() - b.startTime.getTime() || (a.id < b.id ? -1 : 1)

/** A full feed changes when its next event ends; a window of days moves at midnight. */
function endOf(
  events: FeedEvent[],
  { at, isFull, isWindow }: { at: Date; isFull: boolean; isWindow: boolean },
): number {
  const over = isFull ? events.map(({ overAt }) => overAt.getTime()).filter((ms) => ms > at.getTime()) : []
  const ends = isWindow ? [...over, midnightAfter(at)] : over
  return ends.reduce((first, one) => Math.min(first, one), Number.POSITIVE_INFINITY)
}

/** Moves once a day, so that the bytes stay stable in between. */
const daysBack = () => new Date(midnightAfter(now()) - (DAYS_BACK + 1) * DAY_MS)

const midnightAfter = (at: Date) => (Math.floor(at.getTime() / DAY_MS) + 1) * DAY_MS
