import { Type } from '@sinclair/typebox'
import { type Definition, uuid, uuidOrNull } from './definition'

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

export const PEOPLE = {
  'user.registered': {
    description: 'A person signed in for the first time and has an account now.',
    scope: 'read:user',
    people: ['userId'],
    object: ['userId'],
    data: Type.Object({ userId: uuid() }),
  },
  'user.updated': {
    description: 'A person changed their profile or portfolio; `fields` names what.',
    scope: 'read:user',
    people: ['userId'],
    object: ['userId'],
    data: Type.Object({ userId: uuid(), fields: Type.Array(Type.String()) }),
  },
  'user.deleted': {
    description: 'A person deleted their account; nothing but the id is left.',
    scope: 'read:user',
    people: ['userId'],
    object: ['userId'],
    data: Type.Object({ userId: uuid() }),
  },
  'user.suspended': {
    description: 'An administrator suspended a person: their sessions and tokens have ended.',
    scope: 'admin',
    people: ['userId'],
    object: ['userId'],
    data: Type.Object({ userId: uuid() }),
  },
  'user.followed': {
    description: 'A person began to follow another.',
    scope: 'read:user',
    people: ['followerId', 'followeeId'],
    object: ['followerId', 'followeeId'],
    data: Type.Object({ followerId: uuid(), followeeId: uuid() }),
  },
  'user.unfollowed': {
    description: 'A person stopped following another.',
    scope: 'read:user',
    people: ['followerId', 'followeeId'],
    object: ['followerId', 'followeeId'],
    data: Type.Object({ followerId: uuid(), followeeId: uuid() }),
  },
  'user.account_linked': {
    description: 'A person linked an account that they have elsewhere.',
    scope: 'user:linked-accounts',
    people: ['userId'],
    object: ['userId'],
    data: Type.Object({ userId: uuid(), provider: Type.String() }),
  },
  'upload.completed': {
    description: 'A file was sent, checked and stored: it is served at its address now.',
    scope: 'read:uploads',
    people: ['userId'],
    object: ['key'],
    data: Type.Object({
      userId: uuid(),
      key: Type.String(),
      category: Type.String(),
      contentType: Type.String(),
      size: Type.Integer({ description: 'Bytes, as stored.' }),
    }),
  },
  'upload.deleted': {
    description:
      'A file was deleted, by its owner, by an administrator, or since nothing used it any more. The files of a deleted account go with `user.deleted`.',
    scope: 'read:uploads',
    people: ['userId'],
    object: ['key'],
    data: Type.Object({ userId: uuid(), key: Type.String() }),
  },
} as const satisfies Record<string, Definition>
