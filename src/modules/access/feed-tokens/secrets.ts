import { hashSecret, sealer } from '@/auth/secrets'
import { checkedSecret, isCheckedSecret } from '@/core/codes'
import { newId } from '@/core/ids'
import type { FeedTokenRow } from './queries'

const PREFIX = 'fm_feed_'

const { seal, open } = sealer('feed')

/** A token for its owner and for storage: a hash to find it by, and encrypted, to show it again. */
export function newFeedToken(userId: string) {
  const [id, token] = [newId(), checkedSecret(PREFIX)]
  return { token, row: { id, userId, hash: hashSecret(token), sealed: seal(Buffer.from(token), id) } }
}

/** Null if it was encrypted with another key. */
export function tokenOf({ id, sealed }: Pick<FeedTokenRow, 'id' | 'sealed'>): string | null {
  try {
    return Buffer.from(open(sealed, id)).toString()
  } catch {
    return null
  }
}

/** The checksum refuses typos and guesses without a database query. */
export const isFeedToken = (text: string) => isCheckedSecret(PREFIX, text)
