import type { Entry } from '@/http/invoke'
import { listGroupMembers, readGroup } from '@/modules/community/groups/actions'
import { isOwned } from '@/modules/community/groups/staff/cache'
import { visibleGroup } from '@/modules/community/groups/visible'
import { listEvents } from '@/modules/gatherings/events/list/actions'
import { badgesOfGroup } from '@/modules/recognition/badges/catalog/cache'
import { readGroupLeaderboard } from '@/modules/recognition/leaderboards/actions'
import { knownPeople } from '@/site/parts/person'
import { ask } from '@/web/ask'
import type { Params } from '@/web/page'

const NEXT = 6
const PAST = 4
const MEMBERS = 16
const BOARD = 5

/** Everything on a group page, for this reader. */
export async function groupView(entry: Entry, params: Params) {
  const detail = await ask(entry, readGroup, params)
  const caller = typeof entry.visitor === 'object' ? entry.visitor : null
  const { group } = await visibleGroup(caller, detail.urlname as string)
  const events = (status: 'upcoming' | 'past', limit: number) =>
    ask(entry, listEvents, {}, { group: group.urlname, status, limit })
  const [next, past, members, board, badges, owned] = await Promise.all([
    events('upcoming', NEXT),
    events('past', PAST),
    ask(entry, listGroupMembers, params, { limit: MEMBERS }),
    ask(entry, readGroupLeaderboard, params, { limit: BOARD }),
    badgesOfGroup(group.id),
    isOwned(group.id),
  ])
  return {
    detail,
    slug: group.urlname,
    isListed: group.isListed,
    next,
    past,
    members: { hasMore: members.pagination.hasMore, people: await knownPeople(members.data) },
    board: { total: board.total, people: await knownPeople(board.entries) },
    badges,
    isOwned: owned,
  }
}

export type GroupView = Awaited<ReturnType<typeof groupView>>
