import { action } from '@/core/action'
import { notFound } from '@/core/errors'
import { Nothing, pageOf } from '@/core/page'
import { db } from '@/db/client'
import { keysetPage } from '@/db/keyset'
import { transaction } from '@/db/transaction'
import { visiblePerson } from '@/modules/people/users/visible'
import { broadcast } from '@/outbox/broadcast'
import { presentConnection, presentEntry } from './present'
import {
  listConnectionsOf,
  listShownConnectionsOf,
  NEWEST_FIRST,
  removeForOwner,
  removeForVisitor,
} from './queries'
import {
  ConnectionEntry,
  ConnectionInput,
  ConnectionsInput,
  MeetpassConnection,
  UserConnectionsInput,
} from './schema'

export const listConnections = action({
  name: 'listConnections',
  access: 'read:meetpass',
  summary: 'List your connections',
  description:
    'Newest first. People who tapped your pass, people whose pass you tapped, and, for 90 days, anonymous visitors.',
  input: ConnectionsInput,
  output: pageOf(MeetpassConnection),
  run: ({ userId }, { direction, ...input }) =>
    keysetPage(
      {
        list: `connections:${userId}`,
        filters: { direction },
        input,
        order: NEWEST_FIRST,
        rows: (after) => listConnectionsOf(db, userId, direction, after),
      },
      presentConnection(userId),
    ),
})

export const listUserConnections = action({
  name: 'listUserConnections',
  access: 'read:user',
  openOnSite: true,
  summary: 'List connections of a person',
  description:
    'Newest first. Only people with a public profile, while neither side has removed the connection.',
  input: UserConnectionsInput,
  output: pageOf(ConnectionEntry),
  errors: ['not_found'],
  run: async (caller, { username, ...input }) => {
    const { id } = await visiblePerson(caller, username)
    return keysetPage(
      {
        list: `user-connections:${id}`,
        input,
        order: NEWEST_FIRST,
        rows: (after) => listShownConnectionsOf(db, id, after),
      },
      presentEntry,
    )
  },
})

export const removeConnection = action({
  name: 'removeConnection',
  access: 'write:meetpass',
  summary: 'Remove a connection',
  description: 'Removes it for you only; the other person keeps theirs.',
  input: ConnectionInput,
  output: Nothing,
  errors: ['not_found'],
  run: ({ userId }, { id }) =>
    transaction(async (tx) => {
      const removed = (await removeForOwner(tx, userId, id)) ?? (await removeForVisitor(tx, userId, id))
      if (!removed) throw notFound('Connection')
      const { ownerId, visitorId } = removed
      // Anonymous visitors have no list to invalidate.
      if (visitorId !== null) broadcast(tx, { type: 'connection.changed', data: { ownerId, visitorId } })
    }),
})
