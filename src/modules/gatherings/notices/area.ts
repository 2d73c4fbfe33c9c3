import { ago, DAY_MS, nowMs } from '@/core/clock'
import type { EventData } from '@/core/domain-events'
import { schedule } from '@/core/sweep'
import { type Db, db, type Tx } from '@/db/client'
import { transaction } from '@/db/transaction'
import { DEDUPLICATION_MS, post } from '@/mail/post'
import { deleteWaitingAbout } from '@/mail/queries'
import { postSparingly } from '@/mail/sparingly'
import { listener, type ReceivedEvent } from '@/outbox/listener'
import type { Announced } from './announced'
import { eventCancelledLetter, eventMovedLetter } from './change-letters'
import { findMove, findStart, finishMoves, listGuestIds, mayHaveEntry } from './queries'
import { remindGuests } from './remind'
import { eventReminderLetter } from './reminder'
import { rsvpConfirmedLetter, rsvpGivenUpLetter, waitlistPromotedLetter } from './seat-letters'

const eventLetters = [
  rsvpConfirmedLetter,
  waitlistPromotedLetter,
  rsvpGivenUpLetter,
  eventMovedLetter,
  eventCancelledLetter,
  eventReminderLetter,
]

/** Letters with a calendar invite. */
const ENTRY_LETTERS = [
  rsvpConfirmedLetter,
  waitlistPromotedLetter,
  eventMovedLetter,
  eventReminderLetter,
].map(({ name }) => name)

/** Organizers often make several changes in a row, so notices wait and merge. */
const GATHER_MS = 2 * 60_000

const LETTERS = {
  'rsvp.confirmed': rsvpConfirmedLetter,
  'rsvp.promoted': waitlistPromotedLetter,
  'rsvp.cancelled': rsvpGivenUpLetter,
} as const

type Answered = keyof typeof LETTERS

/** Confirmed guests get a calendar invite; guests who cancel get one that removes the entry. */
const rsvpMailListener = listener({
  name: 'rsvp-mail',
  on: Object.keys(LETTERS) as Answered[],
  react: async (tx, { id, type, data }: ReceivedEvent) => {
    const { eventId, userId } = data as EventData<Answered>
    if (type === 'rsvp.cancelled') {
      const before = ago(DEDUPLICATION_MS)
      if (!(await mayHaveEntry(tx, { eventId, userId, letters: ENTRY_LETTERS, before }))) return
    }
    const letter = LETTERS[type as Answered]
    await postSparingly(tx, letter, [userId], { fact: id, topic: eventId, data: { eventId } })
  },
})

/** Mails guests after the event has stayed unchanged for `GATHER_MS`. */
const eventMovedListener = listener({
  name: 'event-moved-mail',
  isUrgent: true,
  on: ['event.updated'],
  react: async (tx, { id, data, at }) => {
    const { eventId } = data as EventData<'event.updated'>
    const move = await findMove(tx, eventId)
    if (!move?.movedFrom) return
    const before = move.movedFrom as Announced
    const urgency = await urgencyOf(tx, eventId)
    await mailGuests(tx, eventId, at, (userIds) =>
      postSparingly(tx, eventMovedLetter, userIds, {
        fact: id,
        topic: eventId,
        gatherMs: GATHER_MS,
        urgency,
        data: { eventId, before },
      }),
    )
    await finishMoves(tx, eventId, move.moves)
  },
})

/** Cancelling is final, so it is mailed without delay and replaces all waiting mail about the event. */
const eventCancelledListener = listener({
  name: 'event-cancelled-mail',
  isUrgent: true,
  on: ['event.cancelled'],
  // Commits batch by batch, so that the first letters leave while the last are written. Each guest gets one: the fact is the event.
  effect: async ({ data, at }) => {
    const { eventId } = data as EventData<'event.cancelled'>
    await transaction((tx) => deleteWaitingAbout(tx, eventId, ENTRY_LETTERS))
    const urgency = await urgencyOf(db, eventId)
    await mailGuests(db, eventId, at, (userIds) =>
      transaction((tx) =>
        post(tx, eventCancelledLetter, userIds, {
          fact: eventId,
          topic: eventId,
          keepsWaiting: true,
          urgency,
          data: { eventId },
        }),
      ),
    )
  },
})

/** The sooner the event, the earlier its letters: guests of tonight's must not wait behind thousands of next year's. */
async function urgencyOf(db: Db | Tx, eventId: string): Promise<'today' | 'thisWeek' | undefined> {
  const startTime = await findStart(db, eventId)
  if (startTime === undefined || startTime.getTime() > nowMs() + 7 * DAY_MS) return undefined
  return startTime.getTime() > nowMs() + DAY_MS ? 'thisWeek' : 'today'
}

export const noticeListeners = [rsvpMailListener, eventMovedListener, eventCancelledListener]

const GUESTS_AT_ONCE = 1000

/** Batches the guests with an active RSVP by then: large events exceed one statement. */
async function mailGuests(
  db: Db | Tx,
  eventId: string,
  answeredBy: Date,
  mail: (userIds: string[]) => Promise<void>,
): Promise<void> {
  for (let after: string | null = null; ; ) {
    const userIds: string[] = await listGuestIds(db, eventId, { after, answeredBy, limit: GUESTS_AT_ONCE })
    if (userIds.length > 0) await mail(userIds)
    if (userIds.length < GUESTS_AT_ONCE) return
    after = userIds.at(-1) as string
  }
}

export const noticesArea = {
  schedules: [schedule({ name: 'event-reminders', everyMs: 10 * 60_000, run: () => remindGuests() })],
  letters: eventLetters,
  listeners: noticeListeners,
}
