import { type Static, type TObject, Type } from '@sinclair/typebox'
import type { Scope } from './scopes'

type Definition = { description: string; scope: Scope; data: TObject }

const uuid = () => Type.String({ format: 'uuid' })

/** The catalogue of facts. Each names the scope that its data needs. */
export const EVENTS = {
  'user.updated': {
    description: 'A person changed their profile or portfolio; `fields` names what.',
    scope: 'read:user',
    data: Type.Object({ userId: uuid(), fields: Type.Array(Type.String()) }),
  },
  'user.deleted': {
    description: 'A person deleted their account; nothing but the id is left.',
    scope: 'read:user',
    data: Type.Object({ userId: uuid() }),
  },
  'user.followed': {
    description: 'A person began to follow another.',
    scope: 'read:user',
    data: Type.Object({ followerId: uuid(), followeeId: uuid() }),
  },
  'user.unfollowed': {
    description: 'A person stopped following another.',
    scope: 'read:user',
    data: Type.Object({ followerId: uuid(), followeeId: uuid() }),
  },
  'group.created': {
    description: 'A group was created.',
    scope: 'read:groups',
    data: Type.Object({ groupId: uuid(), userId: uuid() }),
  },
  'group.updated': {
    description: 'A group changed its settings; `fields` names what.',
    scope: 'read:groups',
    data: Type.Object({ groupId: uuid(), fields: Type.Array(Type.String()) }),
  },
  'group.deleted': {
    description: 'A group was deleted, with its events.',
    scope: 'read:groups',
    data: Type.Object({ groupId: uuid() }),
  },
  'group.favorited': {
    description: 'A person joined a group by marking it as a favorite.',
    scope: 'read:favorites',
    data: Type.Object({ groupId: uuid(), userId: uuid() }),
  },
  'group.unfavorited': {
    description: 'A person took a group off their favorites.',
    scope: 'read:favorites',
    data: Type.Object({ groupId: uuid(), userId: uuid() }),
  },
  'member.added': {
    description: 'A person joined the staff of a group.',
    scope: 'manage:groups',
    data: Type.Object({ groupId: uuid(), memberId: uuid(), userId: uuid(), role: Type.String() }),
  },
  'member.role_changed': {
    description: 'A member of the staff has another role.',
    scope: 'manage:groups',
    data: Type.Object({ groupId: uuid(), memberId: uuid(), userId: uuid(), role: Type.String() }),
  },
  'member.removed': {
    description: 'A person left the staff of a group.',
    scope: 'manage:groups',
    data: Type.Object({ groupId: uuid(), memberId: uuid(), userId: uuid(), role: Type.String() }),
  },
  'event.created': {
    description: 'An event was drafted or published.',
    scope: 'manage:events',
    data: Type.Object({ eventId: uuid(), groupId: uuid() }),
  },
  'event.published': {
    description: 'An event can be seen by everyone.',
    scope: 'read:events',
    data: Type.Object({ eventId: uuid(), groupId: uuid() }),
  },
  'event.updated': {
    description: 'An event changed; `fields` names what.',
    scope: 'read:events',
    data: Type.Object({ eventId: uuid(), groupId: uuid(), fields: Type.Array(Type.String()) }),
  },
  'event.cancelled': {
    description: 'An event will not take place.',
    scope: 'read:events',
    data: Type.Object({ eventId: uuid(), groupId: uuid() }),
  },
  'rsvp.confirmed': {
    description: 'A person has a seat.',
    scope: 'read:events',
    data: Type.Object({ rsvpId: uuid(), eventId: uuid(), groupId: uuid(), userId: uuid() }),
  },
  'rsvp.waitlisted': {
    description: 'An event was full, so a person waits.',
    scope: 'read:events',
    data: Type.Object({ rsvpId: uuid(), eventId: uuid(), groupId: uuid(), userId: uuid() }),
  },
  'rsvp.promoted': {
    description: 'A person who waited has a seat now.',
    scope: 'read:events',
    data: Type.Object({ rsvpId: uuid(), eventId: uuid(), groupId: uuid(), userId: uuid() }),
  },
  'rsvp.cancelled': {
    description: 'A person gave up their seat or their place in line.',
    scope: 'read:events',
    data: Type.Object({ rsvpId: uuid(), eventId: uuid(), groupId: uuid(), userId: uuid() }),
  },
  'checkin.created': {
    description: 'A person is at an event.',
    scope: 'manage:checkins',
    data: Type.Object({
      checkinId: uuid(),
      eventId: uuid(),
      groupId: uuid(),
      userId: uuid(),
      method: Type.String(),
    }),
  },
  'token.created': {
    description: 'A personal access token was created.',
    scope: 'user',
    data: Type.Object({ tokenId: uuid(), userId: uuid(), name: Type.String() }),
  },
  'token.revoked': {
    description: 'A personal access token was revoked, and with it the tokens that it made.',
    scope: 'user',
    data: Type.Object({ tokenId: uuid(), userId: uuid() }),
  },
} as const satisfies Record<string, Definition>

export type EventType = keyof typeof EVENTS

export type EventData<T extends EventType> = Static<(typeof EVENTS)[T]['data']>

export const EVENT_TYPES = Object.keys(EVENTS) as EventType[]

/** A thing that happened. */
export type Fact<T extends EventType = EventType> = { [K in T]: { type: K; data: EventData<K> } }[T]

/** What the processes tell each other. A notice is like a fact, but no business of anyone outside. */
export type Notice = Fact | { type: 'session.ended'; data: { userId: string } }
