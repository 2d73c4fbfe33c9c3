import { Elysia } from 'elysia'
import { serve } from '@/http/serve'
import { readEvent, readNextEvent } from './actions'
import { listEvents } from './list/actions'

const readRoutes = new Elysia({ prefix: '/v1/events', tags: ['Events'] })
  .get('', ...serve(listEvents))
  .get('/:eventId', ...serve(readEvent))

const publicRoutes = new Elysia({ tags: ['Public'] }).get(
  '/v1/public/groups/:slug/next-event',
  ...serve(readNextEvent),
)

export const eventRoutes = new Elysia().use(readRoutes).use(publicRoutes)
