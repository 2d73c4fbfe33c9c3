import { type Static, type TObject, Type } from '@sinclair/typebox'
import type { Scope } from './scopes'

type Definition = {
  description: string
  /** What a credential needs in order to hear of it. */
  scope: Scope
  /** The fields that hold people; whose doing it is comes first. */
  people: readonly string[]
  data: TObject
}

const uuid = () => Type.String({ format: 'uuid' })
const uuidOrNull = () => Type.Union([uuid(), Type.Null()])

const award = { badgeId: uuid(), groupId: uuidOrNull(), userId: uuid(), slug: Type.String() }

/** The catalogue of facts. */
export const EVENTS = {
  'user.registered': {
    description: 'A person signed in for the first time and has an account now.',
    scope: 'read:user',
    people: ['userId'],
    data: Type.Object({ userId: uuid() }),
  },
  'user.updated': {
    description: 'A person changed their profile or portfolio; `fields` names what.',
    scope: 'read:user',
    people: ['userId'],
    data: Type.Object({ userId: uuid(), fields: Type.Array(Type.String()) }),
  },
  'user.deleted': {
    description: 'A person deleted their account; nothing but the id is left.',
    scope: 'read:user',
    people: ['userId'],
    data: Type.Object({ userId: uuid() }),
  },
  'user.suspended': {
    description: 'An administrator suspended a person: their sessions and tokens have ended.',
    scope: 'admin',
    people: ['userId'],
    data: Type.Object({ userId: uuid() }),
  },
  'user.followed': {
    description: 'A person began to follow another.',
    scope: 'read:user',
    people: ['followerId', 'followeeId'],
    data: Type.Object({ followerId: uuid(), followeeId: uuid() }),
  },
  'user.unfollowed': {
    description: 'A person stopped following another.',
    scope: 'read:user',
    people: ['followerId', 'followeeId'],
    data: Type.Object({ followerId: uuid(), followeeId: uuid() }),
  },
  'user.account_linked': {
    description: 'A person linked an account that they have elsewhere.',
    scope: 'user:linked-accounts',
    people: ['userId'],
    data: Type.Object({ userId: uuid(), provider: Type.String() }),
  },
  'group.created': {
    description: 'A group was created.',
    scope: 'read:groups',
    people: ['userId'],
    data: Type.Object({ groupId: uuid(), userId: uuid() }),
  },
  'group.updated': {
    description: 'A group changed its settings; `fields` names what.',
    scope: 'read:groups',
    people: [],
    data: Type.Object({ groupId: uuid(), fields: Type.Array(Type.String()) }),
  },
  'group.deleted': {
    description: 'A group was deleted, with its events.',
    scope: 'read:groups',
    people: ['userId'],
    data: Type.Object({ groupId: uuid(), userId: uuid() }),
  },
  'group.favorited': {
    description: 'A person joined a group by marking it as a favorite.',
    scope: 'read:favorites',
    people: ['userId'],
    data: Type.Object({ groupId: uuid(), userId: uuid() }),
  },
  'group.unfavorited': {
    description: 'A person took a group off their favorites.',
    scope: 'read:favorites',
    people: ['userId'],
    data: Type.Object({ groupId: uuid(), userId: uuid() }),
  },
  'group.claim_requested': {
    description: 'A person asks to become an owner of a group.',
    scope: 'manage:groups',
    people: ['userId'],
    data: Type.Object({ requestId: uuid(), groupId: uuid(), userId: uuid() }),
  },
  'group.claimed': {
    description: 'A person became an owner of a group by an invitation or a request.',
    scope: 'manage:groups',
    people: ['userId'],
    data: Type.Object({ groupId: uuid(), userId: uuid() }),
  },
  'member.added': {
    description: 'A person joined the staff of a group.',
    scope: 'manage:groups',
    people: ['userId'],
    data: Type.Object({ groupId: uuid(), memberId: uuid(), userId: uuid(), role: Type.String() }),
  },
  'member.role_changed': {
    description: 'A member of the staff has another role.',
    scope: 'manage:groups',
    people: ['userId'],
    data: Type.Object({ groupId: uuid(), memberId: uuid(), userId: uuid(), role: Type.String() }),
  },
  'member.removed': {
    description: 'A person left the staff of a group.',
    scope: 'manage:groups',
    people: ['userId'],
    data: Type.Object({ groupId: uuid(), memberId: uuid(), userId: uuid(), role: Type.String() }),
  },
  'event.created': {
    description: 'An event was drafted or published.',
    scope: 'manage:events',
    people: ['userId'],
    data: Type.Object({ eventId: uuid(), groupId: uuid(), userId: uuid() }),
  },
  'event.published': {
    description: 'An event can be seen by everyone.',
    scope: 'read:events',
    people: ['userId'],
    data: Type.Object({ eventId: uuid(), groupId: uuid(), userId: uuid() }),
  },
  'event.updated': {
    description: 'An event changed; `fields` names what.',
    scope: 'read:events',
    people: [],
    data: Type.Object({ eventId: uuid(), groupId: uuid(), fields: Type.Array(Type.String()) }),
  },
  'event.cancelled': {
    description: 'An event will not take place.',
    scope: 'read:events',
    people: [],
    data: Type.Object({ eventId: uuid(), groupId: uuid() }),
  },
  'rsvp.confirmed': {
    description: 'A person has a seat.',
    scope: 'read:events',
    people: ['userId'],
    data: Type.Object({ rsvpId: uuid(), eventId: uuid(), groupId: uuid(), userId: uuid() }),
  },
  'rsvp.waitlisted': {
    description: 'An event was full, so a person waits.',
    scope: 'read:events',
    people: ['userId'],
    data: Type.Object({ rsvpId: uuid(), eventId: uuid(), groupId: uuid(), userId: uuid() }),
  },
  'rsvp.promoted': {
    description: 'A person who waited has a seat now.',
    scope: 'read:events',
    people: ['userId'],
    data: Type.Object({ rsvpId: uuid(), eventId: uuid(), groupId: uuid(), userId: uuid() }),
  },
  'rsvp.cancelled': {
    description: 'A person gave up their seat or their place in line.',
    scope: 'read:events',
    people: ['userId'],
    data: Type.Object({ rsvpId: uuid(), eventId: uuid(), groupId: uuid(), userId: uuid() }),
  },
  'checkin.created': {
    description: 'A person is at an event.',
    scope: 'manage:checkins',
    people: ['userId'],
    data: Type.Object({
      checkinId: uuid(),
      eventId: uuid(),
      groupId: uuid(),
      userId: uuid(),
      method: Type.String(),
    }),
  },
  'badge.created': {
    description: 'There is a new badge.',
    scope: 'read:user',
    people: [],
    data: Type.Object({ badgeId: uuid(), groupId: uuidOrNull(), slug: Type.String() }),
  },
  'badge.updated': {
    description: 'A badge changed; `fields` names what.',
    scope: 'read:user',
    people: [],
    data: Type.Object({
      badgeId: uuid(),
      groupId: uuidOrNull(),
      slug: Type.String(),
      fields: Type.Array(Type.String()),
    }),
  },
  'badge.deleted': {
    description: 'A badge is gone, and nobody holds it any more.',
    scope: 'read:user',
    people: [],
    data: Type.Object({ badgeId: uuid(), groupId: uuidOrNull(), slug: Type.String() }),
  },
  'badge.awarded': {
    description: 'A person holds a badge now.',
    scope: 'read:user',
    people: ['userId'],
    data: Type.Object({ ...award, points: Type.Number(), source: Type.String() }),
  },
  'badge.revoked': {
    description: 'A badge was taken from a person.',
    scope: 'read:user',
    people: ['userId'],
    data: Type.Object(award),
  },
  'badge.claimed': {
    description: 'A person got a badge by a claim link.',
    scope: 'read:user',
    people: ['userId'],
    data: Type.Object({ ...award, linkId: uuid() }),
  },
  'achievement.unlocked': {
    description: 'A person completed an achievement.',
    scope: 'read:user',
    people: ['userId'],
    data: Type.Object({
      key: Type.String(),
      userId: uuid(),
      badgeSlug: Type.Union([Type.String(), Type.Null()]),
    }),
  },
  'score.changed': {
    description: 'A person has more or less XP: in a group, or on the platform where `groupId` is null.',
    scope: 'read:user',
    people: ['userId'],
    data: Type.Object({ userId: uuid(), groupId: uuidOrNull(), change: Type.Number() }),
  },
  'token.created': {
    description: 'A personal access token was created.',
    scope: 'user',
    people: ['userId'],
    data: Type.Object({ tokenId: uuid(), userId: uuid(), name: Type.String() }),
  },
  'token.revoked': {
    description: 'A personal access token was revoked, and with it the tokens that it made.',
    scope: 'user',
    people: ['userId'],
    data: Type.Object({ tokenId: uuid(), userId: uuid() }),
  },
  'grant.created': {
    description: 'A person allowed an application to act for them, or to do more than before.',
    scope: 'user',
    people: ['userId'],
    data: Type.Object({
      grantId: uuid(),
      userId: uuid(),
      clientId: Type.String(),
      scopes: Type.Array(Type.String()),
    }),
  },
  'grant.revoked': {
    description: 'A person took back what they had allowed an application: its tokens are dead.',
    scope: 'user',
    people: ['userId'],
    data: Type.Object({ grantId: uuid(), userId: uuid(), clientId: Type.String() }),
  },
  'app.created': {
    description: 'A developer registered an application.',
    scope: 'developer',
    people: ['userId'],
    data: Type.Object({ clientId: Type.String(), userId: uuid() }),
  },
  'app.deleted': {
    description: 'An application is gone: the tokens that it held are dead.',
    scope: 'developer',
    people: ['userId'],
    data: Type.Object({ clientId: Type.String(), userId: uuidOrNull() }),
  },
  'webhook.disabled': {
    description: 'A webhook was switched off because its receiver failed for days or said that it is gone.',
    scope: 'developer',
    people: ['userId'],
    data: Type.Object({ webhookId: uuid(), userId: uuid(), reason: Type.String() }),
  },
  'webhook.test': {
    description: 'A test that the owner of a webhook asked for; nothing has happened.',
    scope: 'developer',
    people: ['userId'],
    data: Type.Object({ webhookId: uuid(), userId: uuid() }),
  },
} as const satisfies Record<string, Definition>

export type EventType = keyof typeof EVENTS

export type EventData<T extends EventType> = Static<(typeof EVENTS)[T]['data']>

export const EVENT_TYPES = Object.keys(EVENTS) as EventType[]

/** A thing that happened. */
export type Fact<T extends EventType = EventType> = { [K in T]: { type: K; data: EventData<K> } }[T]

/** Whose doing a fact is. */
export function actorOf({ type, data }: { type: EventType; data: unknown }): string | undefined {
  const [field] = EVENTS[type].people
  return field && (data as Record<string, string>)[field]
}

/** What the processes tell each other. A notice is like a fact, but no business of anyone outside. */
export type Notice =
  | Fact
  | { type: 'session.ended'; data: { userId: string } }
  /** A person signed in: what is remembered of when they were last here is out of date. */
  | { type: 'user.seen'; data: { userId: string } }
  /** Tokens of an application that acts for this person are dead. */
  | { type: 'access.ended'; data: { userId: string } }
  | { type: 'achievements.changed'; data: Record<string, never> }
