import { Elysia } from 'elysia'
import { serve } from '@/http/serve'
import { readGroupLeaderboard, readLeaderboard, readLeaderboardMovers } from './actions'

const global = new Elysia({ prefix: '/v1/leaderboard', tags: ['Leaderboards'] })
  .get('', ...serve(readLeaderboard))
  .get('/movers', ...serve(readLeaderboardMovers))

const ofGroups = new Elysia({ prefix: '/v1/groups', tags: ['Groups'] }).get(
  '/:slug/leaderboard',
  ...serve(readGroupLeaderboard),
)

export const leaderboardRoutes = new Elysia().use(global).use(ofGroups)
