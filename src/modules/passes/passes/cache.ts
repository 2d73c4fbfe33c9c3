import { cache } from '@/outbox/cache'
import { findPass, type KnownPass } from './queries'

/** Passes with their owners, as a tap shows them. */
export const passesKept = cache<KnownPass | null>({
  max: 20_000,
  load: findPass,
  drops: (message, drop) => {
    switch (message.type) {
      case 'meetpass.claimed':
      case 'meetpass.released':
        return drop.key(message.data.passId)
      case 'meetpass.updated':
        if (message.data.previousId !== null) drop.key(message.data.previousId)
        return drop.key(message.data.passId)
      case 'user.updated':
      case 'user.suspended':
      case 'user.deleted': {
        const { userId } = message.data
        return drop.where((known) => known?.owner?.id === userId)
      }
      case 'designs.changed':
        return drop.all()
    }
  },
})
