import type { EventData } from '@/core/domain-events'
import { gather } from '@/mail/gathered/gather'
import { listener } from '@/outbox/listener'
import { appRegisteredLetter } from './letters'

/** Whoever has a new application hears of it at once. */
export const appMailListener = listener({
  name: 'app-mail',
  on: ['app.created'],
  react: (tx, { data }) => {
    const { clientId, userId } = data as EventData<'app.created'>
    return gather(tx, appRegisteredLetter, userId, clientId)
  },
})
