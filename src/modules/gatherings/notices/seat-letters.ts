import { letter } from '@/mail/letter'
import { invitationOf } from '@/modules/gatherings/feeds/calendar/invitation'
import type { Words } from '@/words/words'
import { factsOf } from './facts'
import { AboutEvent, eventButton, shortTitle } from './pieces'
import { type Place, placeOf } from './place'

export const rsvpConfirmedLetter = letter({
  name: 'rsvp-confirmed',
  kind: 'rsvpConfirmed',
  urgency: 'important',
  data: AboutEvent,
  write: async ({ reader, words }, { eventId }) => {
    const place = await placeOf(reader, eventId)
    return hasSeat(place) ? seatLetter(place, words, words.eventMails.confirmed) : null
  },
})

export const waitlistPromotedLetter = letter({
  name: 'waitlist-promoted',
  kind: 'waitlistPromoted',
  urgency: 'important',
  data: AboutEvent,
  write: async ({ reader, words }, { eventId }) => {
    const place = await placeOf(reader, eventId)
    return hasSeat(place) ? seatLetter(place, words, words.eventMails.promoted) : null
  },
})

export const hasSeat = (place: Place | null): place is Place =>
  place?.event.status === 'published' && place.event.answer === 'confirmed'

type SeatWords = { subject: (title: string) => string; title: string; text: string }

export const seatLetter = async (place: Place, words: Words, said: SeatWords) => ({
  subject: said.subject(shortTitle(place)),
  title: said.title,
  parts: [
    { say: said.text },
    { facts: factsOf(place, words) },
    eventButton(place, words),
    { quiet: words.eventMails.giveUp },
    { quiet: words.eventMails.entry },
  ],
  calendar: await invitationOf(place.event, place.reader),
})

/** Removes the calendar entry of a guest who cancelled. */
export const rsvpGivenUpLetter = letter({
  name: 'rsvp-given-up',
  kind: 'rsvpConfirmed',
  urgency: 'important',
  data: AboutEvent,
  write: async ({ reader, words }, { eventId }) => {
    const place = await placeOf(reader, eventId)
    if (place === null || place.event.answer !== null) return null
    const { subject, title, text, back, reason } = words.eventMails.givenUp
    return {
      subject: subject(shortTitle(place)),
      title,
      parts: [
        { say: text },
        { facts: factsOf(place, words) },
        { say: back },
        eventButton(place, words),
        { quiet: words.eventMails.goneEntry },
      ],
      reason,
      calendar: await invitationOf(place.event, place.reader),
    }
  },
})
