import { EVENT_TYPES } from '@/core/events'
import { listener } from '@/outbox/listener'
import { countedTypes } from './cache'
import { count } from './progress/count'

/** People get further with what they do. */
export const achievementListener = listener({
  name: 'achievements',
  hears: EVENT_TYPES,
  minds: countedTypes,
  react: count,
})
