import { Type } from '@sinclair/typebox'
import { explainEnded } from '@/auth/ended-credential'
import { action } from '@/core/action'
import { db, type Tx } from '@/db/client'
import { transaction } from '@/db/transaction'
import { emit } from '@/outbox/emit'
import { deleteFeedTokenOf, findFeedToken, insertFeedToken, lockOwner } from './queries'
import { newFeedToken, tokenOf } from './secrets'

const FeedToken = Type.Object(
  {
    feedToken: Type.String({
      description: 'The secret part of your feed addresses: /feeds/me/{feedToken}.ics',
    }),
  },
  { $id: 'FeedToken' },
)

export const readFeedToken = action({
  name: 'readFeedToken',
  access: 'user',
  reads: true,
  summary: 'Read the token of your personal feeds',
  description:
    'Created on first read. It is independent of the credential that reads it: anyone who knows the address of your feed ' +
    'can read it without signing in, even after a token was revoked or an application disconnected. Rotate it to end that.',
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
  summary: 'Rotate the token of your personal feeds',
  description: 'The old addresses stop working at once.',
  input: Type.Object({}),
  output: FeedToken,
  secret: true,
  run: ({ userId }) => transaction(async (tx) => ({ feedToken: await replaceFeedToken(tx, userId) })),
})

/** The person's token, or their first one. Replaces one that cannot be decrypted. */
async function ensureFeedToken(tx: Tx, userId: string): Promise<string> {
  await lockOwner(tx, userId)
  const kept = await findFeedToken(tx, userId)
  return (kept && tokenOf(kept)) ?? replaceFeedToken(tx, userId)
}

/** Replaces the token with a new row, so that dependent rows end with the old one. */
async function replaceFeedToken(tx: Tx, userId: string): Promise<string> {
  await lockOwner(tx, userId)
  const hadOne = await deleteFeedTokenOf(tx, userId)
  const { token, row } = newFeedToken(userId)
  await insertFeedToken(tx, row).catch(explainEnded)
  if (hadOne) await emit(tx, 'feed_token.rotated', { userId })
  return token
}
