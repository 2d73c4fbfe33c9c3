import { Elysia } from 'elysia'
import { front } from '@/http/front'
import { serve } from '@/http/serve'
import { endSession, listSessions } from './actions'

export const sessionRoutes = new Elysia({ prefix: '/v1/profile/sessions', tags: ['User'] })
  .use(front)
  .get('', ...serve(listSessions))
  .delete('/:id', ...serve(endSession))
