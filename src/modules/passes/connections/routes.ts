import { Elysia } from 'elysia'
import { serve } from '@/http/serve'
import { listConnections, removeConnection } from './actions'

export const connectionRoutes = new Elysia({ prefix: '/v1/meetpass/connections', tags: ['MeetPass'] })
  .get('', ...serve(listConnections))
  .delete('/:id', ...serve(removeConnection))
