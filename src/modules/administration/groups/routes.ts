import { Elysia } from 'elysia'
import { front } from '@/http/front'
import { serve } from '@/http/serve'
import { changeGroupStanding, listAllGroups } from './actions'

export const administeredGroupRoutes = new Elysia({ prefix: '/v1/admin/groups', tags: ['Administration'] })
  .use(front)
  .get('', ...serve(listAllGroups))
  .patch('/:groupId', ...serve(changeGroupStanding))
