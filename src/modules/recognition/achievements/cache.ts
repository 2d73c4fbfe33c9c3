import { db } from '@/db/client'
import { cache } from '@/outbox/cache'
import { listCountedTypes } from './queries'

/**
 * The types of domain events that some achievement counts. Asked about every domain event, changed by administrators
 * now and then.
 */
const counted = cache<Set<string>>({
  max: 1,
  load: () => listCountedTypes(db),
  drops: ({ type }, drop) => {
    if (type === 'achievements.changed') drop.all()
  },
})

export const countedTypes = () => counted.get('types')
