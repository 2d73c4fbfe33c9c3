import { now } from '@/core/clock'
import { soon } from '@/core/soon'
import { db, type Tx } from '@/db/client'
import { afterCommit, transaction } from '@/db/transaction'
import { type EventRow, lockEventOfGroup } from '@/modules/gatherings/events/queries'
import { isOver } from '@/modules/gatherings/events/time'
import { emitAll } from '@/outbox/emit'
import { giveUpPlace, lockEventsOf } from './queries'
import { isUnfilled, listUnfilled, markUnfilled, promoteFirst, unmarkUnfilled } from './waitlist/queries'

/** People that one transaction promotes. */
const PORTION = 1000

const hasRoom = ({ maxAttendees, confirmedCount }: EventRow) =>
  maxAttendees === null || confirmedCount < maxAttendees

/**
 * Promotes as many waiting people as there are free seats, in the order in which they joined. The event is locked and
 * given as it is now. A cancelled event, or one that is over, promotes nobody.
 */
export async function promoteWaiting(tx: Tx, event: EventRow): Promise<void> {
  if (!(await promotePortion(tx, event))) return
  await markUnfilled(tx, event.id)
  afterCommit(tx, () => void soon('promoting from a waitlist', () => fill(event.id)))
}

/** True when there may be more people to promote. */
async function promotePortion(tx: Tx, event: EventRow): Promise<boolean> {
  if (event.status !== 'published' || isOver(event, now()) || !hasRoom(event)) return false
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

/** Promotes the others by portions, each in a transaction of its own, so that an event with thousands in line stays usable. */
async function fill(eventId: string): Promise<void> {
  for (let more = true; more; )
    more = await transaction(async (tx) => {
      const locked = await lockEventOfGroup(tx, eventId)
      if (locked && (await promotePortion(tx, locked.event))) return true
      await unmarkUnfilled(tx, eventId)
      return false
    })
}

/** Continues what was interrupted. */
export async function fillAll(): Promise<void> {
  for (const eventId of await listUnfilled(db)) await fill(eventId)
}

/** Free seats that a promotion has not reached yet belong to the waitlist, not to newcomers. */
export const maySit = async (tx: Tx, event: EventRow): Promise<boolean> =>
  hasRoom(event) && (event.waitlistTail === 0 || !(await isUnfilled(tx, event.id)))

/** Gives the seats of a person who leaves for good to the first on each waitlist. */
export async function giveUpSeats(tx: Tx, userId: string): Promise<void> {
  for (const event of await lockEventsOf(tx, userId, now())) {
    const given = await giveUpPlace(tx, event.id, userId)
    if (given?.status === 'confirmed')
      await promoteWaiting(tx, { ...event, confirmedCount: event.confirmedCount - 1 })
  }
}
