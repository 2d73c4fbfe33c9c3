import type { Listener } from '@/outbox/listener'
import { finishRemovals } from './remove/removals'
import type { PicturePlace } from './uses/queries'

/** The objects of what was deleted go at once; the sweep is for those that could not. */
export const uploadListener = (places: PicturePlace[]): Listener => ({
  name: 'uploads',
  on: ['upload.deleted', 'user.deleted'],
  effect: () => finishRemovals(places),
})
