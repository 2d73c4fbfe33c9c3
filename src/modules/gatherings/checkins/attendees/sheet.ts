import { BYTE_ORDER_MARK, csvRow } from '@/core/csv'
import { notFound } from '@/core/errors'
import { iso } from '@/core/shapes'
import { db } from '@/db/client'
import { persisted } from '@/db/transaction'
import type { DownloadKind } from '@/http/downloads/download'
import { findEvent } from '@/modules/gatherings/events/queries'
import { guestsAfter } from '../guests/queries'
import type { Attendee } from '../schema'
import { presentAttendees } from './present'
import { attendeesAfter, mayExport } from './queries'

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
  'email',
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
    // A table that breaks off is worth less than one that takes longer.
    const rows = await persisted(() => attendeesAfter(db, eventId, last, ROWS_AT_ONCE))
    for (const attendee of await persisted(() => presentAttendees(eventId, rows))) text += lineOf(attendee)
    yield text
    text = ''
    if (rows.length < ROWS_AT_ONCE) break
    last = rows.at(-1)?.userId ?? undefined
  }
  yield* guestsOf(eventId)
}

/** Guests without an account, after the members. */
async function* guestsOf(eventId: string): AsyncGenerator<string> {
  let last: string | undefined
  for (;;) {
    const rows = await guestsAfter(db, eventId, last, ROWS_AT_ONCE)
    yield rows
      .map(({ name, email, checkedInAt, method }) => {
        const isIn = checkedInAt !== null
        return csvRow([name, null, 'walk_in', null, null, isIn, iso(checkedInAt), method, email])
      })
      .join('')
    if (rows.length < ROWS_AT_ONCE) return
    last = rows.at(-1)?.guestId
  }
}

const lineOf = (attendee: Attendee): string => {
  const { status, rsvpAt, waitlistPosition, checkedIn, checkedInAt, method, user } = attendee
  return csvRow([
    user.name,
    user.username,
    status,
    rsvpAt,
    waitlistPosition,
    checkedIn,
    checkedInAt,
    method,
    null,
  ])
}
