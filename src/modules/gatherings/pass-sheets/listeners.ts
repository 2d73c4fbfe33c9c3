import { listener } from '@/outbox/listener'
import { finishRemovals } from './files/removals'

/** The files of sheets that have ended go at once; the sweep is for those that could not. */
export const passSheetListener = listener({
  name: 'pass-sheets',
  on: ['user.deleted', 'group.deleted'],
  effect: finishRemovals,
})
