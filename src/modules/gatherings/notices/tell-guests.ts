import type { Tx } from '@/db/client'
import { listGuestIds } from './queries'

const GUESTS_AT_ONCE = 1000

/** Everybody with a seat or a place in line who answered until then, some at a time: thousands are too many for one statement. */
export async function tellGuests(
  tx: Tx,
  eventId: string,
  answeredBy: Date,
  tell: (userIds: string[]) => Promise<void>,
): Promise<void> {
  for (let after: string | null = null; ; ) {
    const userIds: string[] = await listGuestIds(tx, eventId, { after, answeredBy, limit: GUESTS_AT_ONCE })
    if (userIds.length > 0) await tell(userIds)
    if (userIds.length < GUESTS_AT_ONCE) return
    after = userIds.at(-1) as string
  }
}
