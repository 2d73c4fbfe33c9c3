import { Elysia } from 'elysia'
import { serve } from '@/http/serve'
import { toolbox } from '@/mcp/tool'
import { changeGroupStanding, listAllGroups } from './actions'

const allGroupsTools = toolbox({
  admin_groups_update: [
    changeGroupStanding,
    {
      title: 'Change the status of a group',
      idempotent: true,
      destructive: true,
      description:
        'Features, lists or hides a group, or changes its limits. Example: {"groupId":"…","isFeatured":true}.',
    },
  ],
})

const administeredGroupRoutes = new Elysia({ prefix: '/v1/admin/groups', tags: ['Administration'] })
  .get('', ...serve(listAllGroups))
  .patch('/:groupId', ...serve(changeGroupStanding))

export const administeredGroupsArea = {
  routes: administeredGroupRoutes,
  tools: allGroupsTools,
}
