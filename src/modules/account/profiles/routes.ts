import { Elysia } from 'elysia'
import { front } from '@/http/front'
import { serve } from '@/http/serve'
import { listUsers, readUser } from './actions'

export const userRoutes = new Elysia({ prefix: '/v1/users', tags: ['User'] })
  .use(front)
  .get('', ...serve(listUsers))
  .get('/:username', ...serve(readUser))
