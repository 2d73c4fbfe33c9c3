import { Elysia } from 'elysia'
import { sweep } from '@/core/sweep'
import { db } from '@/db/client'
import { serve } from '@/http/serve'
import { toolbox } from '@/mcp/tool'
import { cancelRsvp, readRsvp, readRsvpSummary, rsvpToEvent } from './actions'
import { listEventGuests, listMyRsvps } from './list/actions'
import { fillAll } from './waitlist'
import { countUnfilled } from './waitlist-queries'

const rsvpsTools = toolbox({
  events_rsvp: [
    rsvpToEvent,
    {
      title: 'RSVP to an event',
      idempotent: true,
      description:
        'Says that the person comes: a seat if there is one, otherwise a place on the waitlist (`status`, `waitlistPosition`). Only when the person wants it. A second call changes nothing and is refused with `conflict`. Example: {"eventId":"…"}.',
    },
  ],
  events_cancel_rsvp: [
    cancelRsvp,
    {
      title: 'Give up a seat',
      idempotent: true,
      destructive: true,
      description:
        'Gives up the seat or the place in line of the person; the next in line gets it at once, so ask first. Example: {"eventId":"…"}.',
    },
  ],
  events_rsvp_status: [
    readRsvp,
    {
      title: 'Am I going?',
      description:
        'Tells whether the person has a seat, waits, has cancelled (`status`) or never answered (`rsvp` is null). Example: {"eventId":"…"}.',
    },
  ],
  events_mine: [
    listMyRsvps,
    {
      title: 'What am I going to?',
      description:
        'Events that the person answered, each with their RSVP: `status` filters confirmed, waitlisted or cancelled. Example: {"status":"confirmed"}.',
    },
  ],
  events_rsvp_summary: [
    readRsvpSummary,
    {
      title: 'Count the guests',
      description:
        'Counts of an event: confirmed, waitlisted, cancelled, capacity. Nobody is named. Example: {"eventId":"…"}.',
    },
  ],
})

const waitlistSweeps = [
  sweep({
    name: 'free seats',
    keeps: { ms: 0, after: 'everyone has moved up' },
    resumes: () => countUnfilled(db),
    run: () => fillAll(),
  }),
]

const mine = new Elysia({ tags: ['User'] }).get('/v1/me/rsvps', ...serve(listMyRsvps))

const ofEvent = new Elysia({ prefix: '/v1/events/:eventId', tags: ['Events'] })
  .get('/rsvp', ...serve(readRsvp))
  .post('/rsvp', ...serve(rsvpToEvent, { status: 201 }))
  .delete('/rsvp', ...serve(cancelRsvp))
  .get('/rsvp-summary', ...serve(readRsvpSummary))
  .get('/attendees', ...serve(listEventGuests))

const rsvpRoutes = new Elysia().use(ofEvent).use(mine)

export const rsvpsArea = {
  routes: rsvpRoutes,
  tools: rsvpsTools,
  sweeps: waitlistSweeps,
}
