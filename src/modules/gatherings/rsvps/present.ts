import { iso } from '@/core/shapes'
import type { PlacedRsvp } from './queries'

export const presentRsvp = ({ id, eventId, status, rsvpAt, waitlistPosition }: PlacedRsvp) => ({
  id,
  eventId,
  status,
  rsvpAt: iso(rsvpAt),
  waitlistPosition,
})
