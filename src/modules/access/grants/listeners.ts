import type { EventData } from '@/core/domain-events'
import { gather } from '@/mail/gathered/gather'
import { listener } from '@/outbox/listener'
import { appConnectedLetter, grantItem } from './letters'

/** Whoever allowed an application something hears of it at once. */
export const grantMailListener = listener({
  name: 'grant-mail',
  on: ['grant.created'],
  react: (tx, { id, data }) => {
    const { grantId, userId } = data as EventData<'grant.created'>
    return gather(tx, appConnectedLetter, userId, grantItem(grantId, id))
  },
})
