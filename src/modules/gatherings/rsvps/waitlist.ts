import { now } from '@/core/clock'
import { soon } from '@/core/in-turns'
import { db, type Tx } from '@/db/client'
import { afterCommit, transaction } from '@/db/transaction'
import { type EventRow, lockEventOfGroup } from '@/modules/gatherings/events/queries'
import { isOver } from '@/modules/gatherings/events/time'
import { emitAll } from '@/outbox/emit'
import { cancelActiveRsvp, lockEventsOf } from './queries'
import { isUnfilled, listUnfilled, markUnfilled, promoteFirst, unmarkUnfilled } from './waitlist-queries'

/** Promotions per transaction. */
const PORTION = 1000

const hasFreeSeat = ({ maxAttendees, confirmedCount }: EventRow) =>
  maxAttendees === null || confirmedCount < maxAttendees

/**
 * Promotes waiting people into free seats, first come first served. The caller has locked the event and passes its current row.
 * Cancelled and past events promote no one.
 */
export async function promoteWaiting(tx: Tx, event: EventRow): Promise<void> {
  if (!(await promotePortion(tx, event))) return
  await markUnfilled(tx, event.id)
  afterCommit(tx, () => void soon('promoting from a waitlist', () => fill(event.id)))
}

/** Returns true if more people may be waiting for free seats. */
async function promotePortion(tx: Tx, event: EventRow): Promise<boolean> {
  if (event.status !== 'published' || isOver(event, now()) || !hasFreeSeat(event)) return false
  const seats =
    event.maxAttendees === null ? Number.POSITIVE_INFINITY : event.maxAttendees - event.confirmedCount
  const promoted = await promoteFirst(tx, event.id, Math.min(seats, PORTION))
  await emitAll(
    tx,
    'rsvp.promoted',
    promoted.map(({ id, eventId, userId }) => ({ rsvpId: id, eventId, userId, groupId: event.groupId })),
  )
  return promoted.length === PORTION && seats > PORTION
}

/** One transaction per batch, so an event with a waitlist of thousands stays responsive. */
async function fill(eventId: string): Promise<void> {
  for (let more = true; more; )
    more = await transaction(async (tx) => {
      const locked = await lockEventOfGroup(tx, eventId)
      if (locked && (await promotePortion(tx, locked.event))) return true
      await unmarkUnfilled(tx, eventId)
      return false
    })
}

/** Resumes interrupted promotions. */
export async function fillAll(): Promise<void> {
  for (const eventId of await listUnfilled(db)) await fill(eventId)
}

/** While a promotion is in progress, free seats belong to the waitlist, not to newcomers. */
export const canConfirm = async (tx: Tx, event: EventRow): Promise<boolean> =>
  hasFreeSeat(event) && (event.waitlistTail === 0 || !(await isUnfilled(tx, event.id)))

/** Frees the seats of a deleted account and promotes the next in line. */
export async function giveUpSeats(tx: Tx, userId: string): Promise<void> {
  for (const event of await lockEventsOf(tx, userId, now())) {
    const cancelled = await cancelActiveRsvp(tx, event.id, userId)
    if (cancelled?.status === 'confirmed')
      await promoteWaiting(tx, { ...event, confirmedCount: event.confirmedCount - 1 })
  }
}
