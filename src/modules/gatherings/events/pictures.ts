import { events } from '@/db/tables/events'
import { picturePlace } from '@/modules/people/uploads/uses/queries'
import { emitAll } from '@/outbox/emit'

export const eventPictures = [
  picturePlace({
    field: 'photoUrl',
    category: 'event-photo',
    column: events.photoUrl,
    about: { eventId: events.id, groupId: events.groupId },
    notify: (tx, rows) =>
      emitAll(
        tx,
        'event.updated',
        rows.map((row) => ({ ...row, fields: ['photoUrl'] })),
      ),
  }),
]
