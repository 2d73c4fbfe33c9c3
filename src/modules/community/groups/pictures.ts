import { groups } from '@/db/tables/groups'
import { picturePlace } from '@/modules/people/uploads/uses/queries'
import { emitAll } from '@/outbox/emit'

const picture = (field: 'photoUrl' | 'heroImageUrl', category: 'group-photo' | 'hero') =>
  picturePlace({
    field,
    category,
    column: groups[field],
    about: { groupId: groups.id },
    notify: (tx, rows) =>
      emitAll(
        tx,
        'group.updated',
        rows.map((row) => ({ ...row, fields: [field] })),
      ),
  })

export const groupPictures = [picture('photoUrl', 'group-photo'), picture('heroImageUrl', 'hero')]
