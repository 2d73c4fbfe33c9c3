import { Elysia } from 'elysia'
import { serve } from '@/http/serve'
import { toolbox } from '@/mcp/tool'
import { changeEvent, createEvent, listManagedEvents, readManagedEvent } from './actions'
import { cancelEvent, deleteDraft, duplicateEvent } from './lifecycle-actions'

const organizingTools = toolbox({
  manage_events_list: [
    listManagedEvents,
    {
      title: 'List events of a group I run',
      description: 'Lists the events of a group for its staff, including drafts. Example: {"groupId":"…"}.',
    },
  ],
  manage_events_get: [
    readManagedEvent,
    {
      title: 'Read an event I run',
      description: 'Reads an event for its staff, including drafts. Example: {"groupId":"…","eventId":"…"}.',
    },
  ],
  manage_events_create: [
    createEvent,
    {
      title: 'Create an event',
      idempotent: false,
      description:
        'Creates an event of a group: a draft, unless `status` is published, which everyone sees. Times are UTC; `timezone` is that of the event. Example: {"groupId":"…","title":"Open evening","startTime":"2031-05-01T18:00:00Z","timezone":"Europe/Berlin"}.',
    },
  ],
  manage_events_update: [
    changeEvent,
    {
      title: 'Change an event',
      idempotent: true,
      destructive: true,
      description:
        'Changes an event; omitted fields stay. Guests are notified of a new time or place. Example: {"groupId":"…","eventId":"…","title":"…"}.',
    },
  ],
  manage_events_cancel: [
    cancelEvent,
    {
      title: 'Cancel an event',
      idempotent: true,
      description:
        'Cancels an event for good and notifies all guests. Example: {"groupId":"…","eventId":"…","reason":"The hall is flooded","confirm":true}.',
      confirm: 'The event would be cancelled for good, and all guests notified.',
    },
  ],
})

const organizingRoutes = new Elysia({
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

export const organizingArea = {
  routes: organizingRoutes,
  tools: organizingTools,
}
