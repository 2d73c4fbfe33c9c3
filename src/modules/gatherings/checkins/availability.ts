import { conflict, gone, notFound } from '@/core/errors'
import type { Entry } from './queries'

const DAY_MS = 24 * 60 * 60 * 1000

type Times = { startTime: Date; overAt: Date }

/** Check-in opens a day before the start. */
export const hasOpened = ({ startTime }: Pick<Times, 'startTime'>, at: Date) =>
  at.getTime() >= startTime.getTime() - DAY_MS

/** Check-in closes a day after the end. */
const hasClosed = ({ overAt }: Pick<Times, 'overAt'>, at: Date) => at.getTime() > overAt.getTime() + DAY_MS

const isOpen = (event: Times, at: Date) => hasOpened(event, at) && !hasClosed(event, at)

const isExpired = ({ code }: Entry, at: Date) => code.expiresAt !== null && code.expiresAt <= at

const isUsedUp = ({ code }: Entry) => code.maxUses !== null && code.currentUses >= code.maxUses

/** A code of a draft does not exist yet. */
export function demandKnown(entry: Entry | undefined): Entry {
  if (!entry || entry.event.status === 'draft') throw notFound('Check-in code')
  return entry
}

export const isAvailable = (entry: Entry, at: Date) =>
  entry.event.status === 'published' && !isExpired(entry, at) && !isUsedUp(entry) && isOpen(entry.event, at)

export const usedUp = () => gone('This code is used up')

/**
 * Demands an entry, with refusals in the order in which they help: a person who tries again learns that they are in,
 * not that the code is used up.
 */
export function demandEntry(found: Entry | undefined, at: Date): Entry {
  const entry = demandKnown(found)
  if (entry.event.status === 'cancelled') throw gone('This event was cancelled')
  if (entry.checkinId !== null) throw conflict('You are checked in to this event already')
  if (isExpired(entry, at)) throw gone('This code has expired')
  if (isUsedUp(entry)) throw usedUp()
  if (!isOpen(entry.event, at))
    throw conflict('Check-in is open from 24 hours before the start until 24 hours after the end')
  return entry
}
