import { BYTE_ORDER_MARK, csvRow } from '@/core/csv'
import { notFound } from '@/core/errors'
import { iso } from '@/core/shapes'
import { db } from '@/db/client'
import { retriedThroughOutage } from '@/db/transaction'
import type { DownloadKind } from '@/http/downloads/address'
import { findEvent } from '@/modules/gatherings/events/queries'
import { wordsFor } from '@/web/language'
import { clockIn } from '@/web/local-time'
import type { Words } from '@/words/words'
import { guestsAfter } from '../guests/queries'
import type { Attendee } from '../schema'
import { type AttendeeRow, attendeesAfter, mayExport, positionsOf } from './queries'

export async function presentAttendees(eventId: string, rows: AttendeeRow[]): Promise<Attendee[]> {
  const positions = await positionsOf(db, eventId, rows)
  return rows.map((row) => presentAttendee(row, positions.get(row.rsvpId) ?? null))
}

const presentAttendee = (row: AttendeeRow, waitlistPosition: number | null): Attendee => ({
  rsvpId: row.rsvpId,
  userId: row.userId,
  guest: row.guestId === null ? null : { id: row.guestId, name: row.guestName, email: row.guestEmail },
  status: row.status ?? 'walk_in',
  rsvpAt: iso(row.rsvpAt),
  waitlistPosition,
  checkedIn: row.checkedInAt !== null,
  checkedInAt: iso(row.checkedInAt),
  method: row.method,
  codeLabel: row.codeLabel,
  user: {
    username: row.username,
    name: row.name ?? row.guestName ?? row.guestEmail ?? '',
    avatarUrl: row.avatarUrl,
    isPublic: row.isPublic ?? false,
  },
})

const ROWS_AT_ONCE = 2000

type Reader = { words: Words; zone: string }

/** Streams the attendees of an event as CSV, in the reader's language and the event's time zone. */
export const attendeeSheet: DownloadKind = {
  name: 'attendees',
  make: async ({ eventId = '', by = '' }, visit) => {
    const found = await findEvent(eventId)
    if (!found || !(await mayExport(db, eventId, by))) throw notFound('Download')
    return {
      name: `attendees ${found.event.title}.csv`,
      type: 'text/csv; charset=utf-8',
      chunks: tableOf(eventId, { words: wordsFor(visit), zone: found.event.timezone }),
    }
  },
}

async function* tableOf(eventId: string, reader: Reader): AsyncGenerator<string> {
  let text = BYTE_ORDER_MARK + csvRow(reader.words.manage.columns(reader.zone))
  let last: string | undefined
  for (;;) {
    // The response has started, so an error would truncate the file: retry instead.
    const rows = await retriedThroughOutage(() => attendeesAfter(db, eventId, last, ROWS_AT_ONCE))
    for (const attendee of await retriedThroughOutage(() => presentAttendees(eventId, rows)))
      text += lineOf(attendee, reader)
    yield text
    text = ''
    if (rows.length < ROWS_AT_ONCE) break
    last = rows.at(-1)?.userId ?? undefined
  }
  yield* guestsOf(eventId, reader)
}

/** Guests without an account follow the members. */
async function* guestsOf(eventId: string, reader: Reader): AsyncGenerator<string> {
  let last: string | undefined
  for (;;) {
    const rows = await guestsAfter(db, eventId, last, ROWS_AT_ONCE)
    yield rows
      .map(({ name, email, checkedInAt, method }) =>
        lineOf(
          {
            user: { name, username: null },
            status: 'walk_in',
            rsvpAt: null,
            waitlistPosition: null,
            checkedInAt: iso(checkedInAt),
            method,
          },
          reader,
          email,
        ),
      )
      .join('')
    if (rows.length < ROWS_AT_ONCE) return
    last = rows.at(-1)?.guestId
  }
}

type Line = Pick<Attendee, 'status' | 'rsvpAt' | 'waitlistPosition' | 'checkedInAt' | 'method'> & {
  user: { name: string | null; username: string | null }
}

function lineOf(line: Line, { words: { manage, frame }, zone }: Reader, email: string | null = null): string {
  const { status, rsvpAt, waitlistPosition, checkedInAt, method, user } = line
  const clock = (at: string | null) => at && clockIn(zone, at).replace('T', ' ')
  return csvRow([
    user.name,
    user.username,
    status === 'walk_in' ? manage.aWalkIn : manage.statuses[status],
    clock(rsvpAt),
    waitlistPosition,
    checkedInAt === null ? frame.no : frame.yes,
    clock(checkedInAt),
    method && manage.methods[method],
    email,
  ])
}
