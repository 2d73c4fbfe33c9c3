import { eventCancelledLetter, eventMovedLetter } from './change-letters'
import { eventReminderLetter } from './reminder'
import { rsvpConfirmedLetter, rsvpGivenUpLetter, waitlistPromotedLetter } from './seat-letters'

export const eventLetters = [
  rsvpConfirmedLetter,
  waitlistPromotedLetter,
  rsvpGivenUpLetter,
  eventMovedLetter,
  eventCancelledLetter,
  eventReminderLetter,
]

/** Letters with a calendar invite. */
export const ENTRY_LETTERS = [
  rsvpConfirmedLetter,
  waitlistPromotedLetter,
  eventMovedLetter,
  eventReminderLetter,
].map(({ name }) => name)
