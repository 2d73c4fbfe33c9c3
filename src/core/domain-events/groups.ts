import { Type } from '@sinclair/typebox'
import { type Definition, uuid } from './definition'

const member = { groupId: uuid(), memberId: uuid(), userId: uuid(), role: Type.String() }

export const GROUPS = {
  'group.created': {
    description: 'A group was created.',
    scope: 'read:groups',
    people: ['userId'],
    object: ['groupId'],
    data: Type.Object({ groupId: uuid(), userId: uuid() }),
  },
  'group.updated': {
    description: 'A group changed its settings; `fields` names what.',
    scope: 'read:groups',
    people: [],
    object: ['groupId'],
    data: Type.Object({ groupId: uuid(), fields: Type.Array(Type.String()) }),
  },
  'group.deleted': {
    description: 'A group was deleted, with its events.',
    scope: 'read:groups',
    people: ['userId'],
    object: ['groupId'],
    data: Type.Object({ groupId: uuid(), userId: uuid() }),
  },
  'group.favorited': {
    description: 'A person joined a group by marking it as a favorite.',
    scope: 'read:favorites',
    people: ['userId'],
    object: ['groupId', 'userId'],
    data: Type.Object({ groupId: uuid(), userId: uuid() }),
  },
  'group.unfavorited': {
    description: 'A person took a group off their favorites.',
    scope: 'read:favorites',
    people: ['userId'],
    object: ['groupId', 'userId'],
    data: Type.Object({ groupId: uuid(), userId: uuid() }),
  },
  'group.claim_requested': {
    description: 'A person asks to become an owner of a group.',
    scope: 'manage:groups',
    people: ['userId'],
    object: ['groupId', 'userId'],
    data: Type.Object({ requestId: uuid(), groupId: uuid(), userId: uuid() }),
  },
  'group.claimed': {
    description: 'A person became an owner of a group by an invitation or a request.',
    scope: 'manage:groups',
    people: ['userId'],
    object: ['groupId', 'userId'],
    data: Type.Object({ groupId: uuid(), userId: uuid() }),
  },
  'group.claim_rejected': {
    description: 'A request to become an owner of a group was turned down.',
    scope: 'manage:groups',
    people: ['userId'],
    object: ['groupId', 'userId'],
    data: Type.Object({ groupId: uuid(), userId: uuid(), requestId: uuid() }),
  },
  'member.added': {
    description: 'A person joined the staff of a group.',
    scope: 'manage:groups',
    people: ['userId'],
    object: ['groupId', 'userId'],
    data: Type.Object(member),
  },
  'member.role_changed': {
    description: 'A member of the staff has another role.',
    scope: 'manage:groups',
    people: ['userId'],
    object: ['groupId', 'userId'],
    data: Type.Object(member),
  },
  'member.removed': {
    description: 'A person left the staff of a group.',
    scope: 'manage:groups',
    people: ['userId'],
    object: ['groupId', 'userId'],
    data: Type.Object(member),
  },
} as const satisfies Record<string, Definition>
