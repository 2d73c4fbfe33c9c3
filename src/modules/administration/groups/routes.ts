import { Elysia } from 'elysia'
import { serve } from '@/http/serve'
import { changeGroupStanding, listAllGroups } from './actions'

export const administeredGroupRoutes = new Elysia({ prefix: '/v1/admin/groups', tags: ['Administration'] })
  .get('', ...serve(listAllGroups))
  .patch('/:groupId', ...serve(changeGroupStanding))
