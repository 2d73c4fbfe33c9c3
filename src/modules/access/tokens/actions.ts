import { Type } from '@sinclair/typebox'
import { action } from '@/core/action'
import { askerOf } from '@/core/caller'
import { notFound } from '@/core/errors'
import { id } from '@/core/fields'
import { Nothing, PageInput, pageOf } from '@/core/page'
import { db } from '@/db/client'
import { keysetPage } from '@/db/keyset'
import { transaction } from '@/db/transaction'
import { emit } from '@/outbox/emit'
import { boundedExpiry, expiryIn, grantableScopes, makeToken, presentToken } from './make'
import { countTokensOf, deleteToken, listTokensOf, NEWEST_FIRST } from './queries'
import { CreateTokenRequest, Token, TokenCreated } from './schema'

export const listTokens = action({
  name: 'listTokens',
  access: 'user',
  reads: true,
  summary: 'List your personal access tokens',
  description: 'Applications see none.',
  input: PageInput,
  output: pageOf(Token),
  run: async (caller, input) =>
    keysetPage(
      {
        list: `tokens:${caller.userId}`,
        input,
        order: NEWEST_FIRST,
        rows: (after) => listTokensOf(db, askerOf(caller), after),
        total: await countTokensOf(db, askerOf(caller)),
      },
      presentToken,
    ),
})

export const createToken = action({
  name: 'createToken',
  access: 'user',
  summary: 'Create a personal access token',
  description: 'The response contains the token, which cannot be read again.',
  input: CreateTokenRequest,
  output: TokenCreated,
  errors: ['conflict'],
  secret: true,
  run: (caller, { name, scopes: asked, expiresInDays }) => {
    const scopes = grantableScopes(caller, asked)
    const expiresAt = boundedExpiry(caller, expiryIn(expiresInDays))
    const madeBy = caller.credential.kind === 'token' ? caller.credential.id : null
    return transaction((tx) => makeToken(tx, { userId: caller.userId, name, scopes, expiresAt, madeBy }))
  },
})

export const revokeToken = action({
  name: 'revokeToken',
  access: 'user',
  summary: 'Revoke a personal access token',
  input: Type.Object({ id: id() }),
  output: Nothing,
  errors: ['not_found'],
  run: (caller, input) =>
    transaction(async (tx) => {
      if (!(await deleteToken(tx, askerOf(caller), input.id))) throw notFound('Token')
      await emit(tx, 'token.revoked', { tokenId: input.id, userId: caller.userId })
    }),
})
