import { Type } from '@sinclair/typebox'
import { action } from '@/core/action'
import { notFound } from '@/core/errors'
import { id } from '@/core/fields'
import { Nothing, PageInput, pageOf, Success } from '@/core/page'
import { iso, orNull, wireId, wireTime } from '@/core/shapes'
import { db } from '@/db/client'
import { keysetPage } from '@/db/keyset'
import { transaction } from '@/db/transaction'
import { broadcast } from '@/outbox/broadcast'
import { deleteOtherSessions, deleteSession, listSessionsOf, NEWEST_FIRST } from './queries'

const Session = Type.Object(
  {
    id: wireId(),
    createdAt: wireTime(),
    lastSeenAt: wireTime(),
    userAgent: orNull(Type.String({ description: 'User agent of the browser.' })),
    current: Type.Boolean({ description: 'Whether this is the current session.' }),
  },
  { $id: 'Session' },
)

export const listSessions = action({
  name: 'listSessions',
  access: 'session',
  reads: true,
  summary: 'List your sessions',
  input: PageInput,
  output: pageOf(Session),
  run: ({ userId, credential }, input) =>
    keysetPage(
      {
        list: `sessions:${userId}`,
        input,
        order: NEWEST_FIRST,
        rows: (after) => listSessionsOf(db, userId, after),
      },
      (row) => ({
        id: row.id,
        createdAt: iso(row.createdAt),
        lastSeenAt: iso(row.lastSeenAt),
        userAgent: row.userAgent,
        current: row.id === credential.id,
      }),
    ),
})

export const endSession = action({
  name: 'endSession',
  access: 'session',
  summary: 'End a session',
  input: Type.Object({ id: id() }),
  output: Nothing,
  errors: ['not_found'],
  run: ({ userId }, input) =>
    transaction(async (tx) => {
      if (!(await deleteSession(tx, userId, input.id))) throw notFound('Session')
      broadcast(tx, { type: 'session.ended', data: { userId } })
    }),
})

export const endOtherSessions = action({
  name: 'endOtherSessions',
  access: 'session',
  summary: 'End all other sessions',
  description: 'The current session stays signed in.',
  input: Type.Object({}),
  output: Success,
  run: ({ userId, credential }) =>
    transaction(async (tx) => {
      await deleteOtherSessions(tx, userId, credential.id)
      broadcast(tx, { type: 'session.ended', data: { userId } })
      return { success: true as const }
    }),
})
