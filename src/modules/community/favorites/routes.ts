import { Elysia } from 'elysia'
import { serve } from '@/http/serve'
import { addFavorite, listFavorites, removeFavorite } from './actions'

export const favoriteRoutes = new Elysia({ prefix: '/v1/favorites', tags: ['Groups'] })
  .get('', ...serve(listFavorites))
  .post(
    '/:groupSlug',
    ...serve(addFavorite, { status: 201, also: { status: 200, when: (result) => result.alreadyFavorited } }),
  )
  .delete('/:groupSlug', ...serve(removeFavorite))
