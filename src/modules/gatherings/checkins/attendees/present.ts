import { iso } from '@/core/shapes'
import type { Attendee } from '../schema'
import type { AttendeeRow } from './queries'

export const presentAttendee = (row: AttendeeRow): Attendee => ({
  rsvpId: row.rsvpId,
  userId: row.userId,
  guest: row.guestId === null ? null : { id: row.guestId, name: row.guestName, email: row.guestEmail },
  status: row.status ?? 'walk_in',
  rsvpAt: iso(row.rsvpAt),
  waitlistPosition: row.waitlistPosition,
  checkedIn: row.checkedInAt !== null,
  checkedInAt: iso(row.checkedInAt),
  method: row.method,
  codeLabel: row.codeLabel,
  user: {
    username: row.username,
    name: row.name ?? row.guestName ?? row.guestEmail ?? '',
    avatarUrl: row.avatarUrl,
  },
})
