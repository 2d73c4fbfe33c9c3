import { toolbox } from '@/mcp/tool'
import { changeUser, listAllUsers } from './actions'

export const allUsersTools = toolbox({
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
