import { toolbox } from '@/mcp/tool'
import { listUsers, readUser } from './actions'

export const profilesTools = toolbox({
  users_search: [
    listUsers,
    {
      title: 'Find people',
      description: 'Finds people with a public profile by name or username. Example: {"search":"ada"}.',
    },
  ],
  users_get: [
    readUser,
    {
      title: 'Read a profile',
      description: 'Reads a public profile with badges, groups and followers. Example: {"username":"ada"}.',
    },
  ],
})
