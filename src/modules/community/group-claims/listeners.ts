import type { EventData } from '@/core/domain-events'
import type { Tx } from '@/db/client'
import { post } from '@/mail/post'
import { listener } from '@/outbox/listener'
import { claimDecidedLetter } from './letters'
import { findGrantedClaim } from './queries'

const tell = (tx: Tx, userId: string, claimId: string) =>
  post(tx, claimDecidedLetter, [userId], { fact: claimId, data: { claimId } })

/** Whoever asked to run a group hears what an administrator decided. Whoever was invited knows. */
export const claimMailListener = listener({
  name: 'group-claim-mail',
  on: ['group.claimed', 'group.claim_rejected'],
  react: async (tx, { type, data }) => {
    if (type === 'group.claim_rejected') {
      const { userId, requestId } = data as EventData<'group.claim_rejected'>
      return tell(tx, userId, requestId)
    }
    const { groupId, userId } = data as EventData<'group.claimed'>
    const granted = await findGrantedClaim(tx, groupId, userId)
    if (granted) await tell(tx, userId, granted.id)
  },
})
