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
        'RSVPs for the person: a seat if one is free, otherwise a place on the waitlist (`status`, `waitlistPosition`). Only if the person wants it. A second call fails with `conflict`. Example: {"eventId":"…"}.',
    },
  ],
  events_cancel_rsvp: [
    cancelRsvp,
    {
      title: 'Cancel an RSVP',
      idempotent: true,
      destructive: true,
      description:
        'Cancels the RSVP of the person; the next person on the waitlist gets the seat at once, so ask first. Example: {"eventId":"…"}.',
    },
  ],
  events_rsvp_status: [
    readRsvp,
    {
      title: 'Am I going?',
      description:
        'Reads the RSVP of the person: confirmed, waitlisted or cancelled (`status`), or none (`rsvp` is null). Example: {"eventId":"…"}.',
    },
  ],
  events_mine: [
    listMyRsvps,
    {
      title: 'What am I going to?',
      description:
        'Events with the RSVP of the person: `status` filters confirmed, waitlisted or cancelled. Example: {"status":"confirmed"}.',
    },
  ],
  events_rsvp_summary: [
    readRsvpSummary,
    {
      title: 'Count the guests',
      description:
        'RSVP counts of an event: confirmed, waitlisted, cancelled, capacity. Without names. Example: {"eventId":"…"}.',
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
