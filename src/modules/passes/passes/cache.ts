import { gathered } from '@/db/gathered'
import { cache } from '@/outbox/cache'
import { findPasses, type KnownPass } from './queries'

/** Batches concurrent lookups: at an event many passes are read at once, and a statement costs more than a row. */
const findTogether = gathered<string, Map<string, KnownPass>>({
  keyOf: (id) => id,
  run: async (ids) => new Map((await findPasses(ids)).map((known) => [known.pass.id, known])),
})

const MINUTE_MS = 60_000

export const passCache = cache<KnownPass | null>({
  max: 20_000,
  maxAgeMs: 10 * MINUTE_MS,
  load: async (id) => (await findTogether(id)).get(id) ?? null,
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
