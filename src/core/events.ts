import { type Static, type TObject, Type } from '@sinclair/typebox'
import type { Scope } from './scopes'

type Definition = { description: string; scope: Scope; data: TObject }

const uuid = () => Type.String({ format: 'uuid' })

/** The catalogue of facts. Each names the scope that its data needs. */
export const EVENTS = {
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
