import { iso } from '@/core/shapes'
import { type Html, html } from '@/web/html'
import type { Times, When } from '@/web/when'
import type { Words } from '@/words/words'

const HOUR_MS = 3_600_000

export const overAt = (startTime: Date, endTime: Date | null) =>
  endTime ?? new Date(startTime.getTime() + 3 * HOUR_MS)

export const isOver = (event: { overAt: Date }, at: Date) => event.overAt <= at

/** ISO 8601 in hours and minutes: days vary in length when clocks change. */
export function duration(startTime: Date, endTime: Date | null): string | null {
  if (endTime === null) return null
  const minutes = Math.round((endTime.getTime() - startTime.getTime()) / 60_000)
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60]
  return `PT${hours ? `${hours}H` : ''}${rest || !hours ? `${rest}M` : ''}`
}

export function spanOf({ startTime, endTime }: Times, { starts, until, ends }: When): Html {
  const to = endTime && html`${until}<time datetime="${iso(endTime)}">${ends}</time>`
  return html`<time datetime="${iso(startTime)}">${starts}</time>${to}`
}

type Place = { eventType: string | null; venueName: string | null; venueCity: string | null }

/** Hybrid events show the venue and "online". */
export function placeOf({ eventType, venueName, venueCity }: Place, { events }: Words): string | null {
  if (eventType === 'online') return events.online
  const venue = [venueName, venueCity].filter(Boolean).join(', ')
  if (eventType === 'hybrid') return venue === '' ? events.inPersonAndOnline : events.andOnline(venue)
  return venue || null
}
