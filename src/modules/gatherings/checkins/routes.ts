import { Elysia } from 'elysia'
import { serve } from '@/http/serve'
import { page } from '@/web/page'
import { checkIn, createCheckinCode, deleteCheckinCode, listCheckinCodes, readCheckin } from './actions'
import { PATH, PRINTED_PATH } from './address'
import { checkInAttendee, exportAttendees, listEventAttendees, undoCheckin } from './attendees/actions'
import { checkInGuest, removeGuest } from './guests/actions'
import { enter, showDoor } from './pages'

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

export const checkinRoutes = new Elysia().use(door).use(management).use(pages)
