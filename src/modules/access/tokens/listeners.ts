import type { EventData } from '@/core/domain-events'
import { gather } from '@/mail/gathered/gather'
import { listener } from '@/outbox/listener'
import { tokenMadeLetter } from './letters'

/** Whoever stole a session might make a token: its owner hears of it at once, and of many together. */
export const tokenMailListener = listener({
  name: 'token-mail',
  on: ['token.created'],
  react: (tx, { data }) => {
    const { tokenId, userId } = data as EventData<'token.created'>
    return gather(tx, tokenMadeLetter, userId, tokenId)
  },
})
