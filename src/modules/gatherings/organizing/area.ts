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
      description: 'Lists the events of a group for its staff, drafts too. Example: {"groupId":"…"}.',
    },
  ],
  manage_events_get: [
    readManagedEvent,
    {
      title: 'Read an event I run',
      description: 'Reads an event as its staff sees it, drafts too. Example: {"groupId":"…","eventId":"…"}.',
    },
  ],
  manage_events_create: [
    createEvent,
    {
      title: 'Make an event',
      idempotent: false,
      description:
        'Makes an event of a group: a draft unless `status` is published, which everybody sees. Times are UTC, `timezone` is where it is. Example: {"groupId":"…","title":"Open evening","startTime":"2031-05-01T18:00:00Z","timezone":"Europe/Berlin"}.',
    },
  ],
  manage_events_update: [
    changeEvent,
    {
      title: 'Change an event',
      idempotent: true,
      destructive: true,
      description:
        'Changes an event; fields that you leave out stay. Guests are told when it moves. Example: {"groupId":"…","eventId":"…","title":"…"}.',
    },
  ],
  manage_events_cancel: [
    cancelEvent,
    {
      title: 'Cancel an event',
      idempotent: true,
      description:
        'Calls an event off for good; all guests are told. Example: {"groupId":"…","eventId":"…","reason":"The hall is flooded","confirm":true}.',
      confirm: 'The event would be called off for good, and all of its guests told.',
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
