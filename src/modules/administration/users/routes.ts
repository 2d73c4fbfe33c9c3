import { Elysia } from 'elysia'
import { front } from '@/http/front'
import { serve } from '@/http/serve'
import { changeUser, deleteUser, listAllUsers } from './actions'

export const administeredUserRoutes = new Elysia({ prefix: '/v1/admin/users', tags: ['Administration'] })
  .use(front)
  .get('', ...serve(listAllUsers))
  .patch('/:userId', ...serve(changeUser))
  .delete('/:userId', ...serve(deleteUser))
