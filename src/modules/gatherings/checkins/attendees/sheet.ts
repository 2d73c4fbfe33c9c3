import { BYTE_ORDER_MARK, csvRow } from '@/core/csv'
import { notFound } from '@/core/errors'
import { db } from '@/db/client'
import type { DownloadKind } from '@/http/downloads/download'
import { findEvent } from '@/modules/gatherings/events/queries'
import { presentAttendee } from './present'
import { type AttendeeRow, attendeesAfter, mayExport } from './queries'

const ROWS_AT_ONCE = 2000

const COLUMNS = [
  'name',
  'username',
  'status',
  'rsvpAt',
  'waitlistPosition',
  'checkedIn',
  'checkedInAt',
  'method',
]

/** The attendees of an event as CSV, read while it is sent. */
export const attendeeSheet: DownloadKind = {
  name: 'attendees',
  make: async ({ eventId = '', by = '' }) => {
    const found = await findEvent(eventId)
    if (!found || !(await mayExport(db, eventId, by))) throw notFound('Download')
    return {
      name: `attendees ${found.event.title}.csv`,
      type: 'text/csv; charset=utf-8',
      chunks: tableOf(eventId),
    }
  },
}

async function* tableOf(eventId: string): AsyncGenerator<string> {
  let text = BYTE_ORDER_MARK + csvRow(COLUMNS)
  let last: string | undefined
  for (;;) {
    const rows = await attendeesAfter(db, eventId, last, ROWS_AT_ONCE)
    for (const row of rows) text += lineOf(row)
    yield text
    if (rows.length < ROWS_AT_ONCE) return
    text = ''
    last = rows.at(-1)?.userId
  }
}

function lineOf(row: AttendeeRow): string {
  const { status, rsvpAt, waitlistPosition, checkedIn, checkedInAt, method, user } = presentAttendee(row)
  return csvRow([user.name, user.username, status, rsvpAt, waitlistPosition, checkedIn, checkedInAt, method])
}
