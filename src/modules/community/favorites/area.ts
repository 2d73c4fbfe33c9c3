import { Elysia } from 'elysia'
import { serve } from '@/http/serve'
import { toolbox } from '@/mcp/tool'
import { addFavorite, listFavorites, removeFavorite } from './actions'

const favoritesTools = toolbox({
  favorites_list: [
    listFavorites,
    {
      title: 'List groups I joined',
      description: 'Lists the groups that the person joined by marking them as favorites.',
    },
  ],
  favorites_add: [
    addFavorite,
    {
      title: 'Join a group',
      idempotent: true,
      description:
        'Joins a group by marking it as a favorite; its events appear in the calendar of the person. Example: {"groupSlug":"berlin-makers"}.',
    },
  ],
  favorites_remove: [
    removeFavorite,
    {
      title: 'Leave a group',
      idempotent: true,
      destructive: true,
      description:
        'Leaves a group by removing the favorite. RSVPs to its events stay. Example: {"groupSlug":"berlin-makers"}.',
    },
  ],
})

const favoriteRoutes = new Elysia({ prefix: '/v1/favorites', tags: ['Groups'] })
  .get('', ...serve(listFavorites))
  .post(
    '/:groupSlug',
    ...serve(addFavorite, { status: 201, also: { status: 200, when: (result) => result.alreadyFavorited } }),
  )
  .delete('/:groupSlug', ...serve(removeFavorite))

export const favoritesArea = {
  routes: favoriteRoutes,
  tools: favoritesTools,
}
