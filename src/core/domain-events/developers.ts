import { Type } from '@sinclair/typebox'
import { type Definition, uuid, uuidOrNull } from './definition'

export const DEVELOPERS = {
  'app.created': {
    description: 'A developer registered an application.',
    scope: 'developer',
    people: ['userId'],
    object: ['clientId'],
    data: Type.Object({ clientId: Type.String(), userId: uuid() }),
  },
  'app.deleted': {
    description: 'An application is gone: the tokens that it held are dead.',
    scope: 'developer',
    people: ['userId'],
    object: ['clientId'],
    data: Type.Object({ clientId: Type.String(), userId: uuidOrNull() }),
  },
  'webhook.disabled': {
    description: 'A webhook was switched off because its receiver failed for days or said that it is gone.',
    scope: 'developer',
    people: ['userId'],
    object: ['webhookId'],
    data: Type.Object({ webhookId: uuid(), userId: uuid(), reason: Type.String() }),
  },
  'webhook.test': {
    description: 'A test that the owner of a webhook asked for; nothing has happened.',
    scope: 'developer',
    people: ['userId'],
    object: ['webhookId'],
    data: Type.Object({ webhookId: uuid(), userId: uuid() }),
  },
} as const satisfies Record<string, Definition>
