import { EVENT_TYPES } from '@/core/events'
import { listener } from '@/jobs/listener'
import { countedTypes } from './memory'
import { count } from './progress/count'

/** People get further with what they do. */
export const achievementListener = listener({
  name: 'achievements',
  hears: EVENT_TYPES,
  minds: countedTypes,
  react: count,
})
