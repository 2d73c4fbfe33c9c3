import { ago } from '@/core/clock'
import type { EventData } from '@/core/domain-events'
import { REMEMBERED_MS } from '@/mail/post'
import { postSparingly } from '@/mail/sparingly'
import { type HeardEvent, listener } from '@/outbox/listener'
import { ENTRY_LETTERS, rsvpConfirmedLetter, rsvpGivenUpLetter, waitlistPromotedLetter } from './letters'
import { mayHaveEntry } from './queries'

const LETTERS = {
  'rsvp.confirmed': rsvpConfirmedLetter,
  'rsvp.promoted': waitlistPromotedLetter,
  'rsvp.cancelled': rsvpGivenUpLetter,
} as const

type Answered = keyof typeof LETTERS

/** Whoever has a seat gets a letter with the entry for their calendar, and whoever gives it up one that takes it out. */
export const rsvpMailListener = listener({
  name: 'rsvp-mail',
  on: Object.keys(LETTERS) as Answered[],
  react: async (tx, { id, type, data }: HeardEvent) => {
    const { eventId, userId } = data as EventData<Answered>
    if (type === 'rsvp.cancelled') {
      const before = ago(REMEMBERED_MS)
      if (!(await mayHaveEntry(tx, { eventId, userId, letters: ENTRY_LETTERS, before }))) return
    }
    const letter = LETTERS[type as Answered]
    await postSparingly(tx, letter, [userId], { fact: id, topic: eventId, data: { eventId } })
  },
})
