import { Type } from '@sinclair/typebox'
import { type Definition, uuid, uuidOrNull } from './definition'

const badge = { badgeId: uuid(), groupId: uuidOrNull(), slug: Type.String() }
const award = { badgeId: uuid(), groupId: uuidOrNull(), userId: uuid(), slug: Type.String() }

export const RECOGNITION = {
  'badge.created': {
    description: 'There is a new badge.',
    scope: 'read:user',
    people: [],
    object: ['badgeId'],
    data: Type.Object(badge),
  },
  'badge.updated': {
    description: 'A badge changed; `fields` names what.',
    scope: 'read:user',
    people: [],
    object: ['badgeId'],
    data: Type.Object({ ...badge, fields: Type.Array(Type.String()) }),
  },
  'badge.deleted': {
    description: 'A badge was deleted and removed from all holders.',
    scope: 'read:user',
    people: [],
    object: ['badgeId'],
    data: Type.Object(badge),
  },
  'badge.awarded': {
    description: 'A person holds a badge now.',
    scope: 'read:user',
    people: ['userId'],
    object: ['badgeId', 'userId'],
    data: Type.Object({ ...award, points: Type.Number(), source: Type.String() }),
  },
  'badge.revoked': {
    description: 'A badge was taken from a person.',
    scope: 'read:user',
    people: ['userId'],
    object: ['badgeId', 'userId'],
    data: Type.Object(award),
  },
  'badge.claimed': {
    description: 'A person got a badge by a claim link.',
    scope: 'read:user',
    people: ['userId'],
    object: ['badgeId', 'userId'],
    data: Type.Object({ ...award, linkId: uuid() }),
  },
  'achievement.unlocked': {
    description: 'A person completed an achievement.',
    scope: 'read:user',
    people: ['userId'],
    object: ['key', 'userId'],
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
    object: ['userId', 'groupId'],
    data: Type.Object({ userId: uuid(), groupId: uuidOrNull(), change: Type.Number() }),
  },
} as const satisfies Record<string, Definition>
