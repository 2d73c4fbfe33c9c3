import { toolbox } from '@/mcp/tool'
import { cancelRsvp, readRsvp, readRsvpSummary, rsvpToEvent } from './actions'
import { listMyRsvps } from './list/actions'

export const rsvpsTools = toolbox({
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
