import { eventCancelledLetter, eventMovedLetter } from './change-letters'
import { eventReminderLetter } from './reminder'
import { rsvpConfirmedLetter, rsvpGivenUpLetter, waitlistPromotedLetter } from './seat-letters'

/** All that guests of events are written. */
export const eventLetters = [
  rsvpConfirmedLetter,
  waitlistPromotedLetter,
  rsvpGivenUpLetter,
  eventMovedLetter,
  eventCancelledLetter,
  eventReminderLetter,
]

/** Those that bring an entry into a calendar. */
export const ENTRY_LETTERS = [
  rsvpConfirmedLetter,
  waitlistPromotedLetter,
  eventMovedLetter,
  eventReminderLetter,
].map(({ name }) => name)
