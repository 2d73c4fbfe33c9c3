import { iso } from '@/core/shapes'
import { type Html, html } from '@/web/html'
import type { EventRow } from './queries'
import type { Times, When } from './when'

/** From when until when. */
export function spanOf({ startTime, endTime }: Times, { starts, until, ends }: When): Html {
  const to = endTime && html`${until}<time datetime="${iso(endTime)}">${ends}</time>`
  return html`<time datetime="${iso(startTime)}">${starts}</time>${to}`
}

type Place = Pick<EventRow, 'venueName' | 'venueCity'> & { eventType: string | null }

/** The venue, or that it is online; what is both says both. */
export function placeOf({ eventType, venueName, venueCity }: Place): string | null {
  if (eventType === 'online') return 'Online'
  const venue = [venueName, venueCity].filter(Boolean).join(', ')
  if (eventType === 'hybrid') return venue === '' ? 'In person and online' : `${venue}, and online`
  return venue || null
}
