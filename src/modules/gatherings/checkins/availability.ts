import type { Caller } from '@/core/caller'
import { DAY_MS } from '@/core/clock'
import { type AppError, conflict, gone, notFound } from '@/core/errors'
import { refusals } from '@/core/refusals'
import type { Db, Tx } from '@/db/client'
import { managedGroup } from '@/modules/community/groups/staff/managed-group'
import type { StaffRole } from '@/modules/community/groups/staff/role'
import { type EventRow, findEventOfGroup } from '@/modules/gatherings/events/queries'
import type { Entry } from './queries'

export async function managedEvent(
  db: Db | Tx,
  caller: Caller,
  { groupId, eventId }: { groupId: string; eventId: string },
  needed: StaffRole,
): Promise<EventRow> {
  await managedGroup(db, caller, groupId, needed)
  const event = await findEventOfGroup(db, groupId, eventId)
  if (!event) throw notFound('Event')
  return event
}

type Times = { startTime: Date; overAt: Date }

export const opensAt = ({ startTime }: Pick<Times, 'startTime'>) => new Date(startTime.getTime() - DAY_MS)

export const hasOpened = (event: Pick<Times, 'startTime'>, at: Date) => at >= opensAt(event)

const hasClosed = ({ overAt }: Pick<Times, 'overAt'>, at: Date) => at.getTime() > overAt.getTime() + DAY_MS

const isExpired = ({ code }: Entry, at: Date) => code.expiresAt !== null && code.expiresAt <= at

const isUsedUp = ({ code }: Entry) => code.maxUses !== null && code.currentUses >= code.maxUses

/** A draft's code answers 404. */
export function demandKnown(entry: Entry | undefined): Entry {
  if (!entry || entry.event.status === 'draft') throw notFound('Check-in code')
  return entry
}

export type DoorState = 'cancelled' | 'in' | 'expired' | 'used-up' | 'early' | 'closed' | 'open'

/** Order matters: a repeated attempt gets "already checked in" before "code used up". */
export function doorState(entry: Entry, at: Date): DoorState {
  const { event, checkedInAt } = entry
  if (event.status === 'cancelled') return 'cancelled'
  if (checkedInAt !== null) return 'in'
  if (isExpired(entry, at)) return 'expired'
  if (isUsedUp(entry)) return 'used-up'
  if (!hasOpened(event, at)) return 'early'
  return hasClosed(event, at) ? 'closed' : 'open'
}

export const usedUp = () => gone(refusals.codeUsedUp)

const notOpen = () => conflict(refusals.checkInClosed)

const REFUSALS: Record<Exclude<DoorState, 'open'>, () => AppError> = {
  cancelled: () => gone(refusals.eventCancelled),
  in: () => conflict(refusals.youCheckedInAlready),
  expired: () => gone(refusals.codeExpired),
  'used-up': usedUp,
  early: notOpen,
  closed: notOpen,
}

/** Returns the entry if its code admits this person now, else throws. */
export function demandEntry(found: Entry | undefined, at: Date): Entry {
  const entry = demandKnown(found)
  const state = doorState(entry, at)
  if (state !== 'open') throw REFUSALS[state]()
  return entry
}

/** Manual check-in opens at the same time but never closes. */
export function demandManual(event: EventRow, at: Date) {
  if (event.status === 'cancelled') throw gone(refusals.eventCancelled)
  if (event.status === 'draft') throw conflict(refusals.eventUnpublished)
  if (!hasOpened(event, at)) throw conflict(refusals.checkInNotOpen)
}
