import { users } from '@/db/tables/users'
import { picturePlace } from '@/modules/people/uploads/uses/queries'
import { emitAll } from '@/outbox/emit'

const picture = (field: 'avatarUrl' | 'heroImageUrl', category: 'avatar' | 'hero') =>
  picturePlace({
    field,
    category,
    column: users[field],
    about: { userId: users.id },
    notify: (tx, rows) =>
      emitAll(
        tx,
        'user.updated',
        rows.map((row) => ({ ...row, fields: [field] })),
      ),
  })

export const userPictures = [picture('avatarUrl', 'avatar'), picture('heroImageUrl', 'hero')]
