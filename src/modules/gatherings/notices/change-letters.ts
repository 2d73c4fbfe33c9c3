import { Type } from '@sinclair/typebox'
import { letter } from '@/mail/letter'
import { invitationOf } from '@/modules/gatherings/feeds/calendar/invitation'
import { Announced, announcedFrom, changesSince } from './announced'
import { type Fact, factsBefore, factsOf } from './facts'
import { AboutEvent, eventButton, shortTitle } from './pieces'
import { placeOf } from './place'

export const eventMovedLetter = letter({
  name: 'event-moved',
  kind: 'eventChanged',
  urgency: 'change',
  data: Type.Object({ ...AboutEvent.properties, before: Announced }),
  write: async ({ reader, words }, { eventId, before }) => {
    const place = await placeOf(reader, eventId)
    if (place?.event.status !== 'published' || place.event.answer === null) return null
    const { moved } = words.eventMails
    const isSeated = place.event.answer === 'confirmed'
    const news = changesSince(before, announcedFrom(place.event))
    // The online link is only for confirmed guests, so its change is no news to the waitlist.
    const said = [
      news.time && moved.time,
      news.place && moved.place,
      isSeated && news.online && moved.online,
    ].filter((one) => one !== false)
    if (said.length === 0) return null
    return {
      subject: moved.subject(shortTitle(place)),
      title: moved.title,
      parts: [
        { say: said.join(' ') },
        { facts: [...factsOf(place, words), ...factsBefore(before, news, words)] },
        ...(place.waitlistPosition === null
          ? []
          : [{ say: `${words.events.seat.inLine(place.waitlistPosition)}.` }]),
        eventButton(place, words),
        ...(isSeated ? [{ quiet: words.eventMails.giveUp }, { quiet: words.eventMails.entry }] : []),
      ],
      ...(isSeated && { calendar: await invitationOf(place.event, place.reader) }),
    }
  },
})

export const eventCancelledLetter = letter({
  name: 'event-cancelled',
  kind: 'eventChanged',
  urgency: 'cancellation',
  data: AboutEvent,
  write: async ({ reader, words }, { eventId }) => {
    const place = await placeOf(reader, eventId)
    if (place?.event.status !== 'cancelled' || place.event.answer === null) return null
    const { subject, title, text, reason } = words.eventMails.cancelled
    const { cancelReason, answer } = place.event
    const why: Fact[] = cancelReason === null ? [] : [[reason, cancelReason]]
    return {
      subject: subject(shortTitle(place)),
      title,
      parts: [
        { say: text },
        // Removes the link to join.
        { facts: [...factsOf({ ...place, event: { ...place.event, onlineUrl: null } }, words), ...why] },
        eventButton(place, words),
        ...(answer === 'confirmed' ? [{ quiet: words.eventMails.goneEntry }] : []),
      ],
      ...(answer === 'confirmed' && { calendar: await invitationOf(place.event, place.reader) }),
    }
  },
})
