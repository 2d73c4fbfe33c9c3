import { now } from '@/core/clock'
import { isAppError } from '@/core/errors'
import { type Entry, invoke } from '@/http/invoke'
import { pathNames } from '@/http/path-names'
import { readEvent } from '@/modules/gatherings/events/actions'
import { eventCache } from '@/modules/gatherings/events/cache'
import type { EventDetail } from '@/modules/gatherings/events/schema'
import { readManagedEvent } from '@/modules/gatherings/organizing/actions'
import { readRsvpSummary } from '@/modules/gatherings/rsvps/actions'
import { listEventGuests } from '@/modules/gatherings/rsvps/list/actions'
import { isOverBy, seatsLeft } from '@/site/parts/event'
import { knownPeople } from '@/site/parts/person'
import type { Params } from '@/web/page'
import { type Times, timesOf } from '@/web/when'

type Guest = { id: string; username: string; name: string; avatarUrl: string | null }

export type EventView = {
  event: EventDetail
  times: Times
  phase: EventPhase
  /** Null: unlimited. */
  left: number | null
  waiting: number
  guests: Guest[]
}

/** The event's status for its page. */
export type EventPhase = 'draft' | 'cancelled' | 'over' | 'full' | 'open'

const FACES = 18

const namesOf = pathNames(readEvent)

export const eventIdIn = (params: Params): string => namesOf(params).eventId as string

/** The event, if visible to the reader: a draft only to staff. */
export async function eventFor(entry: Entry, eventId: string): Promise<EventDetail> {
  try {
    return await invoke(entry, readEvent, () => ({ eventId }))
  } catch (error) {
    const groupId = await draftsGroup(entry, error, eventId)
    if (groupId === undefined) throw error
    return invoke(entry, readManagedEvent, () => ({ groupId, eventId }))
  }
}

async function draftsGroup({ visitor }: Entry, error: unknown, eventId: string): Promise<string | undefined> {
  if (typeof visitor !== 'object' || !isAppError(error) || error.appCode !== 'not_found') return undefined
  const found = await eventCache.get(eventId)
  return found?.event.status === 'draft' ? found.event.groupId : undefined
}

export async function viewOf(entry: Entry, eventId: string): Promise<EventView> {
  const event = await eventFor(entry, eventId)
  const times = timesOf(event)
  const [{ data: guests }, { waitlisted }] =
    event.status === 'draft'
      ? [{ data: [] }, { waitlisted: 0 }]
      : await Promise.all([
          invoke(entry, listEventGuests, () => ({ eventId, limit: FACES, offset: 0 })),
          invoke(entry, readRsvpSummary, () => ({ eventId })),
        ])
  return {
    event,
    times,
    phase: phaseOf(event, times),
    left: seatsLeft(event),
    waiting: waitlisted,
    guests: await knownPeople(guests),
  }
}

export function phaseOf(event: EventDetail, times: Times): EventPhase {
  if (event.status !== 'published') return event.status
  if (isOverBy(times, now())) return 'over'
  return seatsLeft(event) === 0 ? 'full' : 'open'
}
