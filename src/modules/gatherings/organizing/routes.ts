import { Elysia } from 'elysia'
import { serve } from '@/http/serve'
import { changeEvent, createEvent, listManagedEvents, readManagedEvent } from './actions'
import { cancelEvent, deleteDraft, duplicateEvent } from './lifecycle/actions'

export const organizingRoutes = new Elysia({
  prefix: '/v1/manage/groups/:groupId/events',
  tags: ['Management'],
})
  .get('', ...serve(listManagedEvents))
  .post('', ...serve(createEvent, { status: 201 }))
  .get('/:eventId', ...serve(readManagedEvent))
  .patch('/:eventId', ...serve(changeEvent))
  .delete('/:eventId', ...serve(deleteDraft))
  .post('/:eventId/cancel', ...serve(cancelEvent))
  .post('/:eventId/duplicate', ...serve(duplicateEvent, { status: 201 }))
