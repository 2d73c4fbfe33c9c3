import { Type } from '@sinclair/typebox'
import { type Definition, uuid } from './definition'

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
