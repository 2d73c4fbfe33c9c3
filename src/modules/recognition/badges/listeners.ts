import type { EventData } from '@/core/domain-events'
import { gather } from '@/mail/gathered/gather'
import { listener } from '@/outbox/listener'
import { badgeEarnedLetter } from './letters'

/** Whoever earned a badge hears of it, together with others of that day. */
export const badgeMailListener = listener({
  name: 'badge-mail',
  on: ['badge.awarded'],
  react: (tx, { data }) => {
    const { badgeId, userId } = data as EventData<'badge.awarded'>
    return gather(tx, badgeEarnedLetter, userId, badgeId)
  },
})
