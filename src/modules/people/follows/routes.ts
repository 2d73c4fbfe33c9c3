import { Elysia } from 'elysia'
import { serve } from '@/http/serve'
import { followUser, listUserFollowers, listUserFollowing, unfollowUser } from './actions'

export const followRoutes = new Elysia({ prefix: '/v1/users/:username', tags: ['Follows'] })
  .get('/followers', ...serve(listUserFollowers))
  .get('/following', ...serve(listUserFollowing))
  .post(
    '/follow',
    ...serve(followUser, { status: 201, also: { status: 200, when: (result) => result.alreadyFollowing } }),
  )
  .delete('/follow', ...serve(unfollowUser))
