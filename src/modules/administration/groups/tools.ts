import { toolbox } from '@/mcp/tool'
import { changeGroupStanding } from './actions'

export const allGroupsTools = toolbox({
  admin_groups_update: [
    changeGroupStanding,
    {
      title: 'Change the standing of a group',
      idempotent: true,
      destructive: true,
      description:
        'Features, lists or hides a group, or changes its limits. Example: {"groupId":"…","isFeatured":true}.',
    },
  ],
})
