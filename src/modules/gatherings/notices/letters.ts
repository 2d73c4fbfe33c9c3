import { Type } from '@sinclair/typebox'
import { clipped } from '@/core/clipped'
import { id } from '@/core/fields'
import { letter, type Part } from '@/mail/letter'
import { invitationOf } from '@/modules/gatherings/feeds/calendar/invitation'
import type { Words } from '@/words/words'
import { factsOf } from './facts'
import { type Place, placeOf } from './place'

/** A subject quotes a title, so that it does not pass for words of ours, and shows the beginning of a long one. */
const TITLE_MAX = 80

const AboutEvent = Type.Object({ eventId: id() })

/** Somebody has a seat. */
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

/** Somebody who waited has a seat. */
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

/** Somebody gave up a seat of which their calendar has an entry: this takes it out. */
export const rsvpGivenUpLetter = letter({
  name: 'rsvp-given-up',
  kind: 'rsvpConfirmed',
  urgency: 'important',
  data: AboutEvent,
  write: async ({ reader, words }, { eventId }) => {
    const place = await placeOf(reader, eventId)
    if (place === null || place.event.answer !== null) return null
    const { subject, title, text, back } = words.eventMails.givenUp
    return {
      subject: subject(clipped(place.event.title, TITLE_MAX)),
      title,
      parts: [
        { say: text },
        { facts: factsOf(place, words) },
        { say: back },
        eventButton(place, words),
        { quiet: words.eventMails.goneEntry },
      ],
      calendar: await invitationOf(place.event, place.reader),
    }
  },
})

/** Those that bring an entry into a calendar. */
export const ENTRY_LETTERS = [rsvpConfirmedLetter, waitlistPromotedLetter].map(({ name }) => name)

const hasSeat = (place: Place | null): place is Place =>
  place?.event.status === 'published' && place.event.answer === 'confirmed'

type SeatWords = { subject: (title: string) => string; title: string; text: string }

const seatLetter = async (place: Place, words: Words, said: SeatWords) => ({
  subject: said.subject(clipped(place.event.title, TITLE_MAX)),
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

const eventButton = ({ event }: Place, { eventMails }: Words): Part => ({
  button: eventMails.see,
  url: event.url,
})

export const eventLetters = [rsvpConfirmedLetter, waitlistPromotedLetter, rsvpGivenUpLetter]
