import { Type } from '@sinclair/typebox'
import { type Definition, uuid } from './definition'

const pass = { userId: uuid(), passId: Type.String() }

export const PASSES = {
  'meetpass.claimed': {
    description:
      'A person has a pass: they claimed a tag, or used their QR pass for the first time. Not sent for passes that are made for a print sheet.',
    scope: 'read:meetpass',
    people: ['userId'],
    object: ['passId'],
    data: Type.Object({ ...pass, passType: Type.String() }),
  },
  'meetpass.updated': {
    description:
      'A person changed a pass; `fields` names what. Where that is `id`, `previousId` no longer leads anywhere.',
    scope: 'read:meetpass',
    people: ['userId'],
    object: ['passId'],
    data: Type.Object({
      ...pass,
      fields: Type.Array(Type.String()),
      previousId: Type.Union([Type.String(), Type.Null()]),
    }),
  },
  'meetpass.released': {
    description: 'A person gave a tag up: it is blank again.',
    scope: 'read:meetpass',
    people: ['userId'],
    object: ['passId'],
    data: Type.Object(pass),
  },
  'meetpass.connected': {
    description:
      'A person met another: one of them tapped the pass of the other. It happens once for each of the two, seen from their side.',
    scope: 'read:meetpass',
    people: ['userId'],
    object: ['userId', 'connectedUserId'],
    data: Type.Object({
      userId: uuid(),
      connectedUserId: uuid(),
      connectionId: uuid(),
      direction: Type.Union([Type.Literal('inbound'), Type.Literal('outbound')], {
        description: '`inbound` for the one whose pass was tapped, `outbound` for the other.',
      }),
    }),
  },
} as const satisfies Record<string, Definition>
