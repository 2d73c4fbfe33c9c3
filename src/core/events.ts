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
