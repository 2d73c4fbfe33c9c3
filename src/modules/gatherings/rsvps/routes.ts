import { Elysia } from 'elysia'
import { serve } from '@/http/serve'
import { cancelRsvp, readRsvp, readRsvpSummary, rsvpToEvent } from './actions'
import { listEventGuests, listMyRsvps } from './list/actions'

const mine = new Elysia({ tags: ['User'] }).get('/v1/me/rsvps', ...serve(listMyRsvps))

const ofEvent = new Elysia({ prefix: '/v1/events/:eventId', tags: ['Events'] })
  .get('/rsvp', ...serve(readRsvp))
  .post('/rsvp', ...serve(rsvpToEvent, { status: 201 }))
  .delete('/rsvp', ...serve(cancelRsvp))
  .get('/rsvp-summary', ...serve(readRsvpSummary))
  .get('/attendees', ...serve(listEventGuests))

export const rsvpRoutes = new Elysia().use(ofEvent).use(mine)
