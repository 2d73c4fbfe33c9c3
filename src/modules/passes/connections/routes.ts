import { Elysia } from 'elysia'
import { serve } from '@/http/serve'
import { listConnections, listUserConnections, removeConnection } from './actions'

const own = new Elysia({ prefix: '/v1/meetpass/connections', tags: ['MeetPass'] })
  .get('', ...serve(listConnections))
  .delete('/:id', ...serve(removeConnection))

const ofOthers = new Elysia({ prefix: '/v1/users/:username', tags: ['User'] }).get(
  '/connections',
  ...serve(listUserConnections),
)

export const connectionRoutes = new Elysia().use(own).use(ofOthers)
