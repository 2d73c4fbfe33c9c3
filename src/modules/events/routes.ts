import { Elysia } from 'elysia'
import { front } from '@/http/front'
import { serve } from '@/http/serve'
import { readEvent, readNextEvent } from './actions'
import { listEvents } from './list/actions'
import { changeEvent, createEvent, listManagedEvents, readManagedEvent } from './manage/actions'
import { cancelEvent, deleteDraft, duplicateEvent } from './manage/lifecycle-actions'

const publicRoutes = new Elysia({ tags: ['Public'] })
  .use(front)
  .get('/v1/public/groups/:slug/next-event', ...serve(readNextEvent))

const manageRoutes = new Elysia({ prefix: '/v1/manage/groups/:groupId/events', tags: ['Management'] })
  .use(front)
  .get('', ...serve(listManagedEvents))
  .post('', ...serve(createEvent, { status: 201 }))
  .get('/:eventId', ...serve(readManagedEvent))
  .patch('/:eventId', ...serve(changeEvent))
  .delete('/:eventId', ...serve(deleteDraft))
  .post('/:eventId/cancel', ...serve(cancelEvent))
  .post('/:eventId/duplicate', ...serve(duplicateEvent, { status: 201 }))

const readRoutes = new Elysia({ prefix: '/v1/events', tags: ['Events'] })
  .use(front)
  .get('', ...serve(listEvents))
  .get('/:eventId', ...serve(readEvent))

export const eventRoutes = new Elysia().use(readRoutes).use(publicRoutes).use(manageRoutes)
