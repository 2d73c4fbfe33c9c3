import { Elysia } from 'elysia'
import { front } from '@/http/front'
import { serve } from '@/http/serve'
import { readGroupLeaderboard, readLeaderboard, readLeaderboardMovers } from './actions'

const global = new Elysia({ prefix: '/v1/leaderboard', tags: ['Leaderboards'] })
  .use(front)
  .get('', ...serve(readLeaderboard))
  .get('/movers', ...serve(readLeaderboardMovers))

const ofGroups = new Elysia({ prefix: '/v1/groups', tags: ['Groups'] })
  .use(front)
  .get('/:slug/leaderboard', ...serve(readGroupLeaderboard))

export const leaderboardRoutes = new Elysia().use(front).use(global).use(ofGroups)
