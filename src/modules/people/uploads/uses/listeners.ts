import { type Listener, listener } from '@/outbox/listener'
import { emptyPlace, type PicturePlace } from './queries'
import { removeUnused } from './unused'

/** No page shows a picture that is gone: every place that points at a deleted file is emptied. */
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
