import { EVENT_TYPES } from '@/core/domain-events'
import { listener } from '@/outbox/listener'
import { countedTypes } from './cache'
import { count } from './progress/count'

export const achievementListener = listener({
  name: 'achievements',
  on: EVENT_TYPES,
  relevantNow: countedTypes,
  react: count,
})
