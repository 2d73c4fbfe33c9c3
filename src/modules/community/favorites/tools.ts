import { toolbox } from '@/mcp/tool'
import { addFavorite, listFavorites, removeFavorite } from './actions'

export const favoritesTools = toolbox({
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
        'Joins a group by marking it as a favorite; its events come into the calendar of the person. Example: {"groupSlug":"berlin-makers"}.',
    },
  ],
  favorites_remove: [
    removeFavorite,
    {
      title: 'Leave a group',
      idempotent: true,
      destructive: true,
      description:
        'Takes a group out of the favorites. Seats at its events stay. Example: {"groupSlug":"berlin-makers"}.',
    },
  ],
})
