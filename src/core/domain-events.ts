import { type Static, type TObject, Type } from '@sinclair/typebox'
import { ACCESS } from './domain-events/access'
import { DEVELOPERS } from './domain-events/developers'
import { GATHERINGS } from './domain-events/gatherings'
import { GROUPS } from './domain-events/groups'
import { PASSES } from './domain-events/passes'
import { PEOPLE } from './domain-events/people'
import { RECOGNITION } from './domain-events/recognition'

/** The catalogue of domain events. */
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

/** A thing that happened. */
export type DomainEvent<T extends EventType = EventType> = { [K in T]: { type: K; data: EventData<K> } }[T]

/**
 * Domain events that hold words of a person: what they called a token or a file. When the person goes, so do these; the
 * others hold ids and nothing else. Two indexes name them as well.
 */
export const WORDED = ['token.created', 'upload.completed', 'upload.deleted'] as const satisfies EventType[]

/** The person who caused an event. */
export function actorOf({ type, data }: { type: EventType; data: unknown }): string | undefined {
  const [field] = EVENTS[type].people
  return field && (data as Record<string, string>)[field]
}

/** The object that an event changed, as its sequence numbers are kept. */
export function objectOf({ type, data }: { type: EventType; data: unknown }): string {
  const values = EVENTS[type].object.map((field) => (data as Record<string, string | null>)[field])
  return [type.split('.')[0], ...values].join(':')
}

/** The data as the world outside is told it. */
export const deliveredData = (data: TObject) =>
  Type.Object({
    ...data.properties,
    sequence: Type.Integer({
      description: 'Rises with the changes of the same object, in the order in which they were made.',
    }),
  })

/** Messages that only drop caches and wake workers, in every process, and are lost with a crash. */
export type Broadcast =
  | { type: 'session.ended'; data: { userId: string } }
  /** A person signed in: caches hold an old time of their last login. */
  | { type: 'user.seen'; data: { userId: string } }
  /** The access tokens of some application that acts for this person have ended. */
  | { type: 'access.ended'; data: { userId: string } }
  | { type: 'achievements.changed'; data: Record<string, never> }
  /** People who follow this person, or whom this person follows, have other follower counts now. */
  | { type: 'followers.counted'; data: { userId: string } }
  /** All awards of a changed or deleted badge are counted now. */
  | { type: 'badge.settled'; data: { badgeId: string; groupId: string | null } }
  /** One side of a connection removed it, or a stranger became a person. */
  | { type: 'connection.changed'; data: { ownerId: string; visitorId: string } }
  | { type: 'designs.changed'; data: Record<string, never> }
  /** A wake-up: there are messages to webhooks to send. */
  | { type: 'webhooks.due'; data: Record<string, never> }
  /** A wake-up: there are letters to send. */
  | { type: 'mails.due'; data: Record<string, never> }
  /** A wake-up: there are subscribers of feeds to ask or to tell. */
  | { type: 'feeds.due'; data: Record<string, never> }
  /** A wake-up: there is a job to run. */
  | { type: 'job.queued'; data: Record<string, never> }
  /** A wake-up: there is a file to check. */
  | { type: 'upload.received'; data: Record<string, never> }
  /** A file turned out not to be what was declared: whoever sent it may be waiting to hear. */
  | { type: 'upload.refused'; data: { key: string } }

/** What the processes tell each other over the event bus. */
export type BusMessage = DomainEvent | Broadcast

/** Fields that show or hide a person. */
const SHOWS_OR_HIDES = new Set(['profileVisibility', 'username', 'suspended'])

/** Whether a person appears or disappears, which changes lists and counts of people anywhere. */
export function showsOrHides({ type, data }: BusMessage): boolean {
  if (type === 'user.updated') return data.fields.some((field) => SHOWS_OR_HIDES.has(field))
  return type === 'user.suspended' || type === 'user.deleted'
}

export const isDomainEvent = ({ type }: BusMessage) => Object.hasOwn(EVENTS, type)
