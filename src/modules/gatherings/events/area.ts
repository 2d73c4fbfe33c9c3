import { Elysia } from 'elysia'
import { photo } from '@/core/shapes'
import { serve } from '@/http/serve'
import { resource } from '@/mcp/resource'
import { toolbox } from '@/mcp/tool'
import { readEvent, readNextEvent } from './actions'
import { listEvents } from './list/actions'
import { eventPictures } from './pictures'
import { EventDetail, EventListItem, Venue } from './schema'

const eventsTools = toolbox({
  events_list: [
    listEvents,
    {
      title: 'Find events',
      description:
        'Finds public events: upcoming by start, unless `status`, `sort` or a filter is set. Use it for any question about what is on. Returns a page of events with ids, times, venue and seats; `pagination.nextCursor` is for the next. Example: {"city":"Berlin","limit":5}.',
    },
  ],
  events_get: [
    readEvent,
    {
      title: 'Read an event',
      description:
        'Reads one event by its id from events_list: description, times, venue, seats, group. Use it before you give details or RSVP. Example: {"eventId":"…"}.',
    },
  ],
})

const readRoutes = new Elysia({ prefix: '/v1/events', tags: ['Events'] })
  .get('', ...serve(listEvents))
  .get('/:eventId', ...serve(readEvent))

const publicRoutes = new Elysia({ tags: ['Public'] }).get(
  '/v1/public/groups/:slug/next-event',
  ...serve(readNextEvent),
)

const eventRoutes = new Elysia().use(readRoutes).use(publicRoutes)

export const eventsArea = {
  routes: eventRoutes,
  tools: eventsTools,
  pictures: eventPictures,
  resources: [
    resource(listEvents, 'folkmoot://events', {
      name: 'events',
      title: 'Upcoming events',
      description: 'The next public events.',
    }),
    resource(readEvent, 'folkmoot://events/{eventId}', {
      name: 'event',
      title: 'An event',
      description: 'One event by its id.',
    }),
  ],
  shapes: [
    { name: 'event', title: 'Event', description: 'An event, as returned by id.', shape: EventDetail },
    { name: 'venue', title: 'Venue', description: 'The venue of an event.', shape: Venue },
    {
      name: 'photo',
      title: 'Photo',
      description: 'The picture of an event or a group: its address, or null.',
      shape: photo(),
    },
    {
      name: 'meetup',
      title: 'Meetup',
      description: 'An event with its group, as in lists. Every valid event is a valid meetup.',
      shape: EventListItem,
    },
  ],
}
