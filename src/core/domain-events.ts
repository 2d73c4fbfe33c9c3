import { type Static, type TObject, Type } from '@sinclair/typebox'
import { GATHERINGS } from './domain-events/gatherings'
import { GROUPS } from './domain-events/groups'
import { ACCESS, DEVELOPERS, PASSES, PEOPLE } from './domain-events/people'
import { RECOGNITION } from './domain-events/recognition'

export const EVENTS = {
  ...PEOPLE,
  ...GROUPS,
  ...GATHERINGS,
  ...RECOGNITION,
  ...PASSES,
  ...ACCESS,
  ...DEVELOPERS,
} as const

export type EventType = keyof typeof EVENTS

export type EventData<T extends EventType> = Static<(typeof EVENTS)[T]['data']>

export const EVENT_TYPES = Object.keys(EVENTS) as EventType[]

export type DomainEvent<T extends EventType = EventType> = { [K in T]: { type: K; data: EventData<K> } }[T]

/**
 * Domain events whose data holds words of a person (names of tokens or files). They are purged with the account; the others hold
 * only ids. Two indexes list these types as well.
 */
export const WORDED = ['token.created', 'upload.completed', 'upload.deleted'] as const satisfies EventType[]

/** The person who caused an event. */
export function actorOf({ type, data }: { type: EventType; data: unknown }): string | undefined {
  const [field] = EVENTS[type].people
  return field && (data as Record<string, string>)[field]
}

/** The key of the object's sequence numbers. */
export function objectOf({ type, data }: { type: EventType; data: unknown }): string {
  const values = EVENTS[type].object.map((field) => (data as Record<string, string | null>)[field])
  return [type.split('.')[0], ...values].join(':')
}

/** The data in the form that webhooks deliver. */
export const deliveredData = (data: TObject) =>
  Type.Object({
    ...data.properties,
    sequence: Type.Integer({
      description: 'Rises with the changes of the same object, in the order in which they were made.',
    }),
  })

/** Messages to every process that only invalidate caches and wake workers. A crash loses them. */
export type Broadcast =
  | { type: 'session.ended'; data: { userId: string } }
  /** A sign-in: cached last-login times are stale. */
  | { type: 'user.seen'; data: { userId: string } }
  /** Access tokens of an application acting for this person were revoked. */
  | { type: 'access.ended'; data: { userId: string } }
  | { type: 'achievements.changed'; data: Record<string, never> }
  /** Follower counts changed for people who follow this person or are followed. */
  | { type: 'followers.counted'; data: { userId: string } }
  /** All awards of a changed or deleted badge are recounted. */
  | { type: 'badge.settled'; data: { badgeId: string; groupId: string | null } }
  /** One side removed a connection, or an anonymous visitor signed in. */
  | { type: 'connection.changed'; data: { ownerId: string; visitorId: string } }
  | { type: 'designs.changed'; data: Record<string, never> }
  /** Wakes the sender of webhook messages. */
  | { type: 'webhooks.due'; data: Record<string, never> }
  /** Wakes the mail sender. */
  | { type: 'mails.due'; data: Record<string, never> }
  /** Wakes the WebSub sender. */
  | { type: 'feeds.due'; data: Record<string, never> }
  /** Wakes a job worker. */
  | { type: 'job.queued'; data: Record<string, never> }
  /** Wakes an upload checker. */
  | { type: 'upload.received'; data: Record<string, never> }
  /** The check refused a file: ends the wait of its uploader. */
  | { type: 'upload.refused'; data: { key: string } }

/** All messages of the event bus. */
export type BusMessage = DomainEvent | Broadcast

const SHOWS_OR_HIDES = new Set(['profileVisibility', 'username', 'suspended'])

/** Whether a person becomes visible or hidden, which changes lists and counts of people. */
export function showsOrHides({ type, data }: BusMessage): boolean {
  if (type === 'user.updated') return data.fields.some((field) => SHOWS_OR_HIDES.has(field))
  return type === 'user.suspended' || type === 'user.deleted'
}

export const isDomainEvent = ({ type }: BusMessage) => Object.hasOwn(EVENTS, type)
