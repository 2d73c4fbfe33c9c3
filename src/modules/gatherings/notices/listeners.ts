import type { EventData } from '@/core/domain-events'
import { post } from '@/mail/post'
import { listener } from '@/outbox/listener'
import { rsvpConfirmedLetter } from './letters'

/** Somebody who has a seat gets a letter with the entry for their calendar. */
export const rsvpMailListener = listener({
  name: 'rsvp-mail',
  on: ['rsvp.confirmed'],
  react: (tx, { id, data }) => {
    const { eventId, userId } = data as EventData<'rsvp.confirmed'>
    return post(tx, rsvpConfirmedLetter, [userId], { fact: id, topic: eventId, data: { eventId } })
  },
})
