import { Elysia } from 'elysia'
import { DAY_MS } from '@/core/clock'
import { idAt } from '@/core/ids'
import { schedule, sweep } from '@/core/sweep'
import { db } from '@/db/client'
import { serve } from '@/http/serve'
import { resource } from '@/mcp/resource'
import { toolbox } from '@/mcp/tool'
import { readGroupLeaderboard, readLeaderboard, readLeaderboardMovers } from './actions'
import { countMovers } from './movers/count'
import { deleteUnfinished } from './movers/queries'
import { deleteChangesBefore, deleteDraftsBefore } from './snapshots/queries'
import { takeSnapshots } from './snapshots/take'

const leaderboardsTools = toolbox({
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
      title: 'Read movers',
      description: 'Reads who gained the most points in the last week, or month. Example: {"period":"week"}.',
    },
  ],
})

const leaderboardSweeps = [
  // Snapshots can be rebuilt for the last month; older boards are never requested.
  sweep({
    name: 'score changes',
    keeps: { ms: 40 * DAY_MS, after: 'the change' },
    run: (before) => deleteChangesBefore(db, before),
  }),
  sweep({
    name: 'unfinished boards',
    keeps: { ms: DAY_MS, after: 'the worker stopped' },
    run: async (before) => {
      await deleteDraftsBefore(db, idAt(before))
      await deleteUnfinished(db, before)
    },
  }),
]

const leaderboardSchedules = [
  // Hourly is enough: a snapshot can be taken late, because the score log preserves the past.
  schedule({ name: 'leaderboard-snapshots', everyMs: 60 * 60_000, run: () => takeSnapshots() }),
  schedule({ name: 'movers', everyMs: 10 * 60_000, run: () => countMovers() }),
]

const global = new Elysia({ prefix: '/v1/leaderboard', tags: ['Leaderboards'] })
  .get('', ...serve(readLeaderboard))
  .get('/movers', ...serve(readLeaderboardMovers))

const ofGroups = new Elysia({ prefix: '/v1/groups', tags: ['Groups'] }).get(
  '/:slug/leaderboard',
  ...serve(readGroupLeaderboard),
)

const leaderboardRoutes = new Elysia().use(global).use(ofGroups)

export const leaderboardsArea = {
  routes: leaderboardRoutes,
  tools: leaderboardsTools,
  schedules: leaderboardSchedules,
  sweeps: leaderboardSweeps,
  resources: [
    resource(readLeaderboard, 'folkmoot://leaderboard', {
      name: 'leaderboard',
      title: 'Leaderboard',
      description: 'Who has the most points.',
    }),
    resource(readGroupLeaderboard, 'folkmoot://leaderboard/{slug}', {
      name: 'group-leaderboard',
      title: 'Leaderboard of a group',
      description: 'Who has the most points in a group, by its urlname.',
    }),
  ],
}
