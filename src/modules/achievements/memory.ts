import { cache } from '@/db/cache'
import { db } from '@/db/client'
import { listCountedTypes } from './queries'

/** Which facts count for anything. Asked about every fact, changed by administrators now and then. */
const counted = cache<Set<string>>({
  max: 1,
  load: () => listCountedTypes(db),
  drops: ({ type }, drop) => {
    if (type === 'achievements.changed') drop.all()
  },
})

export const countedTypes = () => counted.get('types')
