import { toolbox } from '@/mcp/tool'
import { readEvent } from './actions'
import { listEvents } from './list/actions'

export const eventsTools = toolbox({
  events_list: [
    listEvents,
    {
      title: 'Find events',
      description:
        'Finds public events: upcoming by start unless `status`, `sort` or a filter says otherwise. Use it whenever somebody asks what is on. Gives a page of events with ids, times, venue and seats; `pagination.nextCursor` leads to the next. Example: {"city":"Berlin","limit":5}.',
    },
  ],
  events_get: [
    readEvent,
    {
      title: 'Read an event',
      description:
        'Reads one event by its id from events_list: description, times, venue, seats, group. Use it before you tell somebody details or RSVP. Example: {"eventId":"…"}.',
    },
  ],
})
