import type { Listener } from '@/outbox/listener'
import { finishRemovals } from './remove/removals'
import type { PicturePlace } from './uses/queries'

/** Removes objects of deleted uploads at once; the sweep retries failures. */
export const uploadListener = (places: PicturePlace[]): Listener => ({
  name: 'uploads',
  on: ['upload.deleted', 'user.deleted'],
  effect: () => finishRemovals(places),
})
