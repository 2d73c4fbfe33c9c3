import { oauthClients } from '@/db/tables/oauth'
import { picturePlace } from '@/modules/people/uploads/uses/queries'

export const appPictures = [
  picturePlace({
    field: 'logoUri',
    category: 'app-logo',
    column: oauthClients.logoUri,
    about: { clientId: oauthClients.clientId },
    // Logos are not cached.
    notify: async () => {},
  }),
]
