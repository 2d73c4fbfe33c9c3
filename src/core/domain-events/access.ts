import { Type } from '@sinclair/typebox'
import { type Definition, uuid } from './definition'

export const ACCESS = {
  'token.created': {
    description: 'A personal access token was created.',
    scope: 'user',
    people: ['userId'],
    object: ['tokenId'],
    data: Type.Object({ tokenId: uuid(), userId: uuid(), name: Type.String() }),
  },
  'token.revoked': {
    description: 'A personal access token was revoked, and with it the tokens that it made.',
    scope: 'user',
    people: ['userId'],
    object: ['tokenId'],
    data: Type.Object({ tokenId: uuid(), userId: uuid() }),
  },
  'feed_token.rotated': {
    description: "A person's own feeds have new addresses: the old ones are dead.",
    scope: 'user',
    people: ['userId'],
    object: ['userId'],
    data: Type.Object({ userId: uuid() }),
  },
  'grant.created': {
    description: 'A person allowed an application to act for them, or to do more than before.',
    scope: 'user',
    people: ['userId'],
    object: ['grantId'],
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
    object: ['grantId'],
    data: Type.Object({ grantId: uuid(), userId: uuid(), clientId: Type.String() }),
  },
} as const satisfies Record<string, Definition>
