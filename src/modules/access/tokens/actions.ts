import { Type } from '@sinclair/typebox'
import { TOKEN_PREFIX } from '@/auth/credentials'
import { hashSecret } from '@/auth/hashing'
import { action } from '@/core/action'
import { askerOf } from '@/core/caller'
import { nowMs } from '@/core/clock'
import { checkedSecret } from '@/core/codes'
import { notFound } from '@/core/errors'
import { id } from '@/core/fields'
import { newId } from '@/core/ids'
import { Nothing, PageInput, pageOf } from '@/core/page'
import { db } from '@/db/client'
import { keysetPage } from '@/db/keyset'
import { transaction } from '@/db/transaction'
import { emit } from '@/outbox/emit'
import { boundedExpiry, grantableScopes } from './grantable'
import { presentToken } from './present'
import {
  countTokensOf,
  deleteToken,
  demandRoomForToken,
  insertToken,
  listTokensOf,
  NEWEST_FIRST,
} from './queries'
import { CreateTokenRequest, Token, TokenCreated } from './schema'

const DAY_MS = 24 * 60 * 60 * 1000

export const listTokens = action({
  name: 'listTokens',
  access: 'user',
  reads: true,
  summary: 'List your personal access tokens',
  description: 'Applications that ask for you see none.',
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
  description: 'The token itself is in this answer and nowhere else: keep it.',
  input: CreateTokenRequest,
  output: TokenCreated,
  errors: ['conflict'],
  secret: true,
  run: (caller, { name, scopes: asked, expiresInDays }) => {
    const scopes = grantableScopes(caller, asked)
    const expiresAt = boundedExpiry(caller, expiresInDays ? new Date(nowMs() + expiresInDays * DAY_MS) : null)
    const token = checkedSecret(TOKEN_PREFIX)
    return transaction(async (tx) => {
      await demandRoomForToken(tx, caller.userId)
      const row = await insertToken(tx, {
        id: newId(),
        userId: caller.userId,
        name,
        scopes,
        expiresAt,
        hash: hashSecret(token),
        prefix: token.slice(0, TOKEN_PREFIX.length + 8),
        madeBy: caller.credential.kind === 'token' ? caller.credential.id : null,
      })
      await emit(tx, 'token.created', { tokenId: row.id, userId: caller.userId, name })
      return { ...presentToken(row), token }
    })
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
