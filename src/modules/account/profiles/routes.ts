import { Elysia } from 'elysia'
import { serve } from '@/http/serve'
import { listUsers, readUser } from './actions'

export const userRoutes = new Elysia({ prefix: '/v1/users', tags: ['User'] })
  .get('', ...serve(listUsers))
  .get('/:username', ...serve(readUser))
