import { db } from '@/db/client'
import { cache } from '@/outbox/cache'
import { listCountedTypes } from './queries'

/** Event types that any achievement counts. Read for every domain event, rarely changed. */
const counted = cache<Set<string>>({
  max: 1,
  load: () => listCountedTypes(db),
  drops: ({ type }, drop) => {
    if (type === 'achievements.changed') drop.all()
  },
})

export const countedTypes = () => counted.get('types')
