import { toolbox } from '@/mcp/tool'
import { readGroupLeaderboard, readLeaderboard, readLeaderboardMovers } from './actions'

export const leaderboardsTools = toolbox({
  leaderboard_global: [
    readLeaderboard,
    {
      title: 'Read the leaderboard',
      description: 'Reads who has the most points on the platform. Example: {"limit":10}.',
    },
  ],
  leaderboard_group: [
    readGroupLeaderboard,
    {
      title: 'Read the leaderboard of a group',
      description: 'Reads who has the most points in a group. Example: {"slug":"berlin-makers"}.',
    },
  ],
  leaderboard_movers: [
    readLeaderboardMovers,
    {
      title: 'Read who climbs',
      description: 'Reads who gained the most points in the last week, or month. Example: {"period":"week"}.',
    },
  ],
})
