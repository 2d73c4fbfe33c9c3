import { Elysia } from 'elysia'
import { serve } from '@/http/serve'
import { toolbox } from '@/mcp/tool'
import { changeUser, deleteUser, listAllUsers } from './actions'

const allUsersTools = toolbox({
  admin_users_list: [
    listAllUsers,
    {
      title: 'List all people',
      description: 'Lists people for administrators, hidden and suspended ones too, with roles.',
    },
  ],
  admin_users_update: [
    changeUser,
    {
      title: 'Change the standing of somebody',
      idempotent: true,
      description:
        'Makes somebody an administrator or a user, suspends them or lifts that. Suspending ends all their sessions and tokens. Example: {"userId":"…","suspended":true,"confirm":true}.',
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
