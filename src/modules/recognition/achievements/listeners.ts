import { EVENT_TYPES } from '@/core/events'
import { listener } from '@/outbox/listener'
import { countedTypes } from './cache'
import { count } from './progress/count'

/** People get further with what they do. */
export const achievementListener = listener({
  name: 'achievements',
  on: EVENT_TYPES,
  relevantNow: countedTypes,
  react: count,
})
