import type { EventType } from '@/core/domain-events'

type Happened = { type: string; data: unknown }

const OF_PERSON = new Set<string>([
  'rsvp.confirmed',
  'rsvp.waitlisted',
  'rsvp.promoted',
  'rsvp.cancelled',
  'group.favorited',
  'group.unfavorited',
  'feed_token.rotated',
  'user.suspended',
  'user.deleted',
] satisfies EventType[])

/** The person whose personal feed a domain event invalidates. */
export const feedOwnerToInvalidate = ({ type, data }: Happened): string | undefined =>
  OF_PERSON.has(type) ? (data as { userId: string }).userId : undefined
