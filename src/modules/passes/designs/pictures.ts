import type { Tx } from '@/db/client'
import { passDesigns } from '@/db/tables/passes'
import { picturePlace } from '@/modules/people/uploads/uses/queries'
import { broadcast } from '@/outbox/broadcast'

/** Only caches of taps depend on designs. */
export const broadcastDesignsChanged = async (tx: Tx) => broadcast(tx, { type: 'designs.changed', data: {} })

const about = { designId: passDesigns.id }

export const designPictures = [
  picturePlace({
    field: 'imageUrl',
    category: 'meetpass-image',
    column: passDesigns.imageUrl,
    about,
    notify: broadcastDesignsChanged,
  }),
  picturePlace({
    field: 'modelUrl',
    category: 'meetpass-model',
    kind: 'model',
    column: passDesigns.modelUrl,
    about,
    notify: broadcastDesignsChanged,
  }),
]
