import { Elysia } from 'elysia'
import { DAY_MS } from '@/core/clock'
import { sweep } from '@/core/sweep'
import { db } from '@/db/client'
import { serve } from '@/http/serve'
import { toolbox } from '@/mcp/tool'
import { page } from '@/web/page'
import { checkIn, createCheckinCode, deleteCheckinCode, listCheckinCodes, readCheckin } from './actions'
import { checkInAttendee, exportAttendees, listEventAttendees, undoCheckin } from './attendees/actions'
import { attendeeSheet } from './attendees/sheet'
import { PATH, PRINTED_PATH } from './codes'
import { checkInGuest, removeGuest } from './guests/actions'
import { deleteOldGuests } from './guests/queries'
import { enter, showDoor } from './pages'

const checkinsTools = toolbox({
  events_checkin: [
    checkIn,
    {
      title: 'Check in',
      idempotent: true,
      description:
        'Checks the person in with a code from the door. Use only a code that they gave you: wrong ones count against their limit. Example: {"code":"…"}.',
    },
  ],
  manage_attendees_list: [
    listEventAttendees,
    {
      title: 'List attendees',
      description:
        'Lists the attendees of an event for its staff: confirmed, waitlisted, checked in. Example: {"groupId":"…","eventId":"…"}.',
    },
  ],
  manage_checkin_codes_list: [
    listCheckinCodes,
    {
      title: 'List check-in codes',
      description:
        'Lists the check-in codes of an event with their number of uses. Example: {"groupId":"…","eventId":"…"}.',
    },
  ],
  manage_checkin_codes_create: [
    createCheckinCode,
    {
      title: 'Create a check-in code',
      idempotent: false,
      description:
        'Creates a check-in code for an event. Example: {"groupId":"…","eventId":"…","label":"Main door"}.',
    },
  ],
})

const checkinSweeps = [
  sweep({
    name: 'guests without an account',
    keeps: { ms: 90 * DAY_MS, after: 'their event is over' },
    run: (before) => deleteOldGuests(db, before),
  }),
]

const door = new Elysia({ prefix: '/v1/checkin/:code', tags: ['Events'] })
  .get('', ...serve(readCheckin))
  .post('', ...serve(checkIn, { status: 201 }))

const management = new Elysia({ prefix: '/v1/manage/groups/:groupId', tags: ['Management'] })
  .get('/events/:eventId/attendees', ...serve(listEventAttendees))
  .post('/events/:eventId/attendees/export', ...serve(exportAttendees))
  .post('/events/:eventId/attendees/:userId/checkin', ...serve(checkInAttendee, { status: 201 }))
  .delete('/events/:eventId/attendees/:userId/checkin', ...serve(undoCheckin))
  .post('/events/:eventId/guests', ...serve(checkInGuest, { status: 201 }))
  .delete('/events/:eventId/guests/:guestId', ...serve(removeGuest))
  .get('/events/:eventId/checkin-codes', ...serve(listCheckinCodes))
  .post('/events/:eventId/checkin-codes', ...serve(createCheckinCode, { status: 201 }))
  .delete('/checkin-codes/:codeId', ...serve(deleteCheckinCode))

const pages = new Elysia()
  .get(`${PATH}/:code`, ...page(showDoor))
  .post(`${PATH}/:code`, ...enter)
  .get(`${PRINTED_PATH}/:code`, ...page(showDoor))
  .post(`${PRINTED_PATH}/:code`, ...enter)

const checkinRoutes = new Elysia().use(door).use(management).use(pages)

export const checkinsArea = {
  routes: checkinRoutes,
  tools: checkinsTools,
  sweeps: checkinSweeps,
  downloads: [attendeeSheet],
}
