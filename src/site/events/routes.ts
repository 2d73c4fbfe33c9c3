import { Elysia } from 'elysia'
import { plain } from '@/http/plain'
import { PERSONAL } from '@/http/route-traits'
import { forms } from '@/web/form'
import { openPage } from '@/web/open-page'
import { sendCalendar } from './event/calendar-file'
import { ownPart, seatDeeds, showEvent } from './event/page'
import { LIST_QUERY } from './list/asked'
import { showEvents } from './list/page'

export const eventsPages = new Elysia()
  .get('/events', ...openPage(showEvents, { query: LIST_QUERY }))
  .get(
    '/events/:eventId',
    ...openPage(showEvent, { personal: ownPart, keepsPersonal: true, finishes: seatDeeds }),
  )
  .post('/events/:eventId', ...forms(seatDeeds))
  .get('/events/:eventId/calendar.ics', ...plain(sendCalendar, PERSONAL))
