import { Elysia } from 'elysia'
import { serve } from '@/http/serve'
import { toolbox } from '@/mcp/tool'
import { listUsers, readUser } from './actions'

const profilesTools = toolbox({
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

const userRoutes = new Elysia({ prefix: '/v1/users', tags: ['User'] })
  .get('', ...serve(listUsers))
  .get('/:username', ...serve(readUser))

export const profilesArea = {
  routes: userRoutes,
  tools: profilesTools,
}
