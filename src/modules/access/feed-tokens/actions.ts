import { Type } from '@sinclair/typebox'
import { action } from '@/core/action'
import { db } from '@/db/client'
import { transaction } from '@/db/transaction'
import { ensureFeedToken, replaceFeedToken } from './issue'
import { findFeedToken } from './queries'
import { FeedToken } from './schema'
import { tokenOf } from './secrets'

export const readFeedToken = action({
  name: 'readFeedToken',
  access: 'user',
  reads: true,
  summary: 'Read the token of your own feeds',
  description:
    'Made when it is first read. It is yours, not of the credential that reads it: whoever knows the address of your feed ' +
    'reads it without signing in, also after a token was revoked or an application was disconnected. Rotating it ends that.',
  input: Type.Object({}),
  output: FeedToken,
  secret: true,
  run: async ({ userId }) => {
    const kept = await findFeedToken(db, userId)
    const feedToken = kept && tokenOf(kept)
    return { feedToken: feedToken ?? (await transaction((tx) => ensureFeedToken(tx, userId))) }
  },
})

export const rotateFeedToken = action({
  name: 'rotateFeedToken',
  access: 'user',
  summary: 'Give your own feeds a new token',
  description: 'The old addresses are dead at once, for everyone who knows them.',
  input: Type.Object({}),
  output: FeedToken,
  secret: true,
  run: ({ userId }) => transaction(async (tx) => ({ feedToken: await replaceFeedToken(tx, userId) })),
})
