import { portfolioItems } from '@/db/tables/people'
import { picturePlace } from '@/modules/people/uploads/uses/queries'
import { emitAll } from '@/outbox/emit'

export const portfolioPictures = [
  picturePlace({
    field: 'imageUrl',
    category: 'media',
    column: portfolioItems.imageUrl,
    about: { userId: portfolioItems.userId },
    notify: (tx, rows) =>
      emitAll(
        tx,
        'user.updated',
        [...new Set(rows.map(({ userId }) => userId))].map((userId) => ({ userId, fields: ['portfolio'] })),
      ),
  }),
]
