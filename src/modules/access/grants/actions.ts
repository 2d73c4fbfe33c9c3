import { type Static, Type } from '@sinclair/typebox'
import { action } from '@/core/action'
import { askerOf } from '@/core/caller'
import { notFound } from '@/core/errors'
import { id } from '@/core/fields'
import { PageInput, pageOf, Success } from '@/core/page'
import { iso, orNull, wireId, wireTime } from '@/core/shapes'
import { db } from '@/db/client'
import { keysetPage } from '@/db/keyset'
import { transaction } from '@/db/transaction'
import { endGrant } from './end'
import { countGrantsOf, listGrantsOf, lockGrant, NEWEST_FIRST } from './queries'

export const OAuthGrant = Type.Object(
  {
    grantId: wireId(),
    clientId: Type.String(),
    clientName: Type.String(),
    clientUri: orNull(Type.String()),
    logoUri: orNull(Type.String()),
    scopes: Type.Array(Type.String()),
    grantedAt: wireTime(),
  },
  { $id: 'OAuthGrant' },
)
export type OAuthGrant = Static<typeof OAuthGrant>

export const listGrants = action({
  name: 'listGrants',
  access: 'user',
  reads: true,
  summary: 'List applications with access to your account',
  description: 'An application sees only its own grant.',
  input: PageInput,
  output: pageOf(OAuthGrant),
  run: async (caller, input) =>
    keysetPage(
      {
        list: `grants:${caller.userId}`,
        input,
        order: NEWEST_FIRST,
        rows: (after) => listGrantsOf(db, askerOf(caller), after),
        total: await countGrantsOf(db, askerOf(caller)),
      },
      (row) => ({ ...row, grantedAt: iso(row.grantedAt) }),
    ),
})

export const revokeGrant = action({
  name: 'revokeGrant',
  access: 'user',
  summary: 'Revoke the access of an application',
  description:
    'Revokes its tokens at once, disables its webhooks and deletes applications that it registered for you. An application can revoke only its own grant.',
  input: Type.Object({ grantId: id() }),
  output: Success,
  errors: ['not_found'],
  run: (caller, { grantId }) =>
    transaction(async (tx) => {
      const { userId } = caller
      const clientId = await lockGrant(tx, askerOf(caller), grantId)
      if (clientId === undefined) throw notFound('Grant')
      await endGrant(tx, { grantId, userId, clientId })
      return { success: true as const }
    }),
})
