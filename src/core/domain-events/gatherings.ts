import { Type } from '@sinclair/typebox'
import { type Definition, uuid } from './definition'

const event = { eventId: uuid(), groupId: uuid() }
const rsvp = { rsvpId: uuid(), ...event, userId: uuid() }

export const GATHERINGS = {
  'event.created': {
    description: 'An event was drafted or published.',
    scope: 'manage:events',
    people: ['userId'],
    object: ['eventId'],
    data: Type.Object({ ...event, userId: uuid() }),
  },
  'event.published': {
    description: 'An event can be seen by everyone.',
    scope: 'read:events',
    people: ['userId'],
    object: ['eventId'],
    data: Type.Object({ ...event, userId: uuid() }),
  },
  'event.updated': {
    description: 'An event changed; `fields` names what.',
    scope: 'read:events',
    people: [],
    object: ['eventId'],
    data: Type.Object({ ...event, fields: Type.Array(Type.String()) }),
  },
  'event.cancelled': {
    description: 'An event will not take place.',
    scope: 'read:events',
    people: [],
    object: ['eventId'],
    data: Type.Object(event),
  },
  'rsvp.confirmed': {
    description: 'A person has a seat.',
    scope: 'read:events',
    people: ['userId'],
    object: ['eventId', 'userId'],
    data: Type.Object(rsvp),
  },
  'rsvp.waitlisted': {
    description: 'An event was full, so a person waits.',
    scope: 'read:events',
    people: ['userId'],
    object: ['eventId', 'userId'],
    data: Type.Object(rsvp),
  },
  'rsvp.promoted': {
    description: 'A person who waited has a seat now.',
    scope: 'read:events',
    people: ['userId'],
    object: ['eventId', 'userId'],
    data: Type.Object(rsvp),
  },
  'rsvp.cancelled': {
    description: 'A person gave up their seat or their place in line.',
    scope: 'read:events',
    people: ['userId'],
    object: ['eventId', 'userId'],
    data: Type.Object(rsvp),
  },
  'checkin.created': {
    description: 'A person is at an event.',
    scope: 'manage:checkins',
    people: ['userId'],
    object: ['eventId', 'userId'],
    data: Type.Object({ checkinId: uuid(), ...event, userId: uuid(), method: Type.String() }),
  },
  'checkin.undone': {
    description: 'A check-in was taken back.',
    scope: 'manage:checkins',
    people: ['userId'],
    object: ['eventId', 'userId'],
    data: Type.Object({ checkinId: uuid(), ...event, userId: uuid() }),
  },
} as const satisfies Record<string, Definition>
