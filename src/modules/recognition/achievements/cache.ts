import { db } from '@/db/client'
import { cache } from '@/outbox/cache'
import { listCountedTypes } from './queries'

/** Which domain events count for anything. Asked about every domain event, changed by administrators now and then. */
const counted = cache<Set<string>>({
  max: 1,
  load: () => listCountedTypes(db),
  drops: ({ type }, drop) => {
    if (type === 'achievements.changed') drop.all()
  },
})

export const countedTypes = () => counted.get('types')
