import type { FeedEvent } from '../feed'
import { readable } from './readable'

const SUMMARY_MAX = 300

/** The place in a line. */
export function where({ eventType, venue }: FeedEvent): string {
  if (eventType === 'online') return 'Online'
  const place = venue
    ? [venue.name, venue.address, venue.city, venue.state, venue.postalCode, venue.country]
        .filter(Boolean)
        .join(', ')
    : 'To be announced'
  return eventType === 'hybrid' ? `${place}, and online` : place
}

export const answered = (answer: 'confirmed' | 'waitlisted') =>
  answer === 'confirmed' ? 'You have a seat.' : 'You are on the waitlist.'

/** The date is a part of it, because the date that readers show beside it is that of the news. */
export const headline = ({ title, status }: FeedEvent, starts: string) =>
  `${status === 'cancelled' ? 'Cancelled: ' : ''}${title} · ${starts}`

const cancelled = ({ cancelReason }: FeedEvent) =>
  cancelReason ? `Cancelled: ${cancelReason}.` : 'Cancelled.'

/** A few lines of text. */
export function summary(event: FeedEvent, lasts: string): string {
  const facts = [
    event.status === 'cancelled' && cancelled(event),
    event.answer && answered(event.answer),
    `${lasts}.`,
    `${where(event)}.`,
    event.group.name,
  ]
  const text = `${facts.filter(Boolean).join(' ')}. ${event.description?.slice(0, SUMMARY_MAX) ?? ''}`
    .replace(/\s{2,}|[^\S ]/g, ' ')
    .trim()
  return text.length > SUMMARY_MAX ? `${readable(text.slice(0, SUMMARY_MAX)).trim()}...` : text
}
