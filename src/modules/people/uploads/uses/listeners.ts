import { type Listener, listener } from '@/outbox/listener'
import { emptyPlace, type PicturePlace } from './queries'
import { removeUnused } from './unused'

/** Clears every reference to a deleted file, so that no page shows a broken image. */
export const usesListeners = (places: PicturePlace[]): Listener[] => [
  listener({
    name: 'pictures-that-are-gone',
    on: ['upload.deleted'],
    react: async (tx, event) => {
      if (event.type !== 'upload.deleted') return
      for (const place of places) await emptyPlace(tx, place, [event.data.key])
    },
  }),
  listener({
    name: 'pictures-of-what-is-gone',
    on: ['group.deleted', 'app.deleted'],
    effect: () => removeUnused(places),
  }),
]
