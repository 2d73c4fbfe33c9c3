import { Elysia } from 'elysia'
import { serve } from '@/http/serve'
import { toolbox } from '@/mcp/tool'
import { changeUser, deleteUser, listAllUsers } from './actions'

const allUsersTools = toolbox({
  admin_users_list: [
    listAllUsers,
    {
      title: 'List all people',
      description: 'Lists all people with their roles, including private and suspended ones.',
    },
  ],
  admin_users_update: [
    changeUser,
    {
      title: 'Change the status of a person',
      idempotent: true,
      description:
        'Makes a person an administrator or a user, suspends or reinstates them. Suspending revokes all their sessions and tokens. Example: {"userId":"…","suspended":true,"confirm":true}.',
      confirm: 'The role or the suspension of this person would change at once.',
    },
  ],
})

const administeredUserRoutes = new Elysia({ prefix: '/v1/admin/users', tags: ['Administration'] })
  .get('', ...serve(listAllUsers))
  .patch('/:userId', ...serve(changeUser))
  .delete('/:userId', ...serve(deleteUser))

export const administeredUsersArea = {
  routes: administeredUserRoutes,
  tools: allUsersTools,
}
