import { Elysia } from 'elysia'
import { serve } from '@/http/serve'
import { endSession, listSessions } from './actions'

const sessionRoutes = new Elysia({ prefix: '/v1/profile/sessions', tags: ['User'] })
  .get('', ...serve(listSessions))
  .delete('/:id', ...serve(endSession))

export const sessionsArea = {
  routes: sessionRoutes,
}
