import { iso } from '@/core/shapes'
import { type Html, html } from '@/web/html'
import type { Times, When } from '@/web/when'
import type { Words } from '@/words/words'

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
