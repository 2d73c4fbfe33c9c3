import { iso } from '@/core/shapes'
import { db } from '@/db/client'
import type { Attendee } from '../schema'
import { type AttendeeRow, positionsOf } from './queries'

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
