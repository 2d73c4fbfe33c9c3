import { Elysia } from 'elysia'
import { serve } from '@/http/serve'
import { changeUser, deleteUser, listAllUsers } from './actions'

export const administeredUserRoutes = new Elysia({ prefix: '/v1/admin/users', tags: ['Administration'] })
  .get('', ...serve(listAllUsers))
  .patch('/:userId', ...serve(changeUser))
  .delete('/:userId', ...serve(deleteUser))
