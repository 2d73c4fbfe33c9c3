import { hashSecret } from '@/auth/hashing'
import { sealer } from '@/auth/sealing'
import { checkedSecret, isCheckedSecret } from '@/core/codes'
import { newId } from '@/core/ids'
import type { FeedTokenRow } from './queries'

const PREFIX = 'fm_feed_'

const { seal, open } = sealer('feed')

/** A token as its owner sees it, and as it is kept: a hash to find it by, and sealed, to be shown again. */
export function newFeedToken(userId: string) {
  const [id, token] = [newId(), checkedSecret(PREFIX)]
  return { token, row: { id, userId, hash: hashSecret(token), sealed: seal(Buffer.from(token), id) } }
}

/** Null for what was sealed with another key: nobody can be shown that token again. */
export function tokenOf({ id, sealed }: Pick<FeedTokenRow, 'id' | 'sealed'>): string | null {
  try {
    return Buffer.from(open(sealed, id)).toString()
  } catch {
    return null
  }
}

/** The checksum refuses what was mistyped or invented without a question to the database. */
export const isFeedToken = (text: string) => isCheckedSecret(PREFIX, text)
