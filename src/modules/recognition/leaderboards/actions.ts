import { action } from '@/core/action'
import { notFound } from '@/core/errors'
import { visibleGroup } from '@/modules/community/groups/visible'
import { globalPage, groupPage, moversPage } from './boards'
import {
  BoardInput,
  GlobalLeaderboard,
  GroupBoardInput,
  GroupLeaderboard,
  LeaderboardMovers,
  MoversInput,
} from './schema'

export const readLeaderboard = action({
  name: 'readLeaderboard',
  access: 'read:user',
  openOnSite: true,
  summary: 'Read the global leaderboard',
  description: 'Equal scores are ranked by when they were reached.',
  input: BoardInput,
  output: GlobalLeaderboard,
  stable: true,
  run: (_caller, { limit, offset }) => globalPage(limit, offset),
})

export const readLeaderboardMovers = action({
  name: 'readLeaderboardMovers',
  access: 'read:user',
  openOnSite: true,
  summary: 'Read who gained the most XP recently',
  description: 'In the last seven days, or in the last thirty with `period=month`.',
  input: MoversInput,
  output: LeaderboardMovers,
  stable: true,
  run: (_caller, { period = 'week', limit, offset }) => moversPage(period, limit, offset),
})

export const readGroupLeaderboard = action({
  name: 'readGroupLeaderboard',
  access: 'read:groups',
  openOnSite: true,
  summary: 'Read the leaderboard of a group',
  description: 'Counts only badges of this group, which count on no other board.',
  input: GroupBoardInput,
  output: GroupLeaderboard,
  errors: ['not_found'],
  stable: true,
  run: async (caller, { slug, limit, offset }) => {
    const { group } = await visibleGroup(caller, slug)
    const page = await groupPage(group.id, limit, offset)
    if (page === null) throw notFound('Group')
    return page
  },
})
