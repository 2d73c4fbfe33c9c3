import { Elysia } from 'elysia'
import { serve } from '@/http/serve'
import { readFeedToken, rotateFeedToken } from './actions'

const feedTokenRoutes = new Elysia({ prefix: '/v1/profile/feed-token', tags: ['User'] })
  .get('', ...serve(readFeedToken))
  .post('/rotate', ...serve(rotateFeedToken))

export const feedTokensArea = {
  routes: feedTokenRoutes,
}
