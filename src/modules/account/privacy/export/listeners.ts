import { listener } from '@/outbox/listener'
import { finishRemovals } from './removals'

/** The files of exports that have ended go at once; the sweep is for those that could not. */
export const exportListener = listener({
  name: 'data-exports',
  on: ['user.deleted', 'grant.revoked'],
  effect: finishRemovals,
})
