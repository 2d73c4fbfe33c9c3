import { Elysia } from 'elysia'
import { serve } from '@/http/serve'
import { toolbox } from '@/mcp/tool'
import { grantEntitlement, listEntitlements, revokeEntitlement } from './actions'

const entitlementsTools = toolbox({
  profile_entitlements: [
    listEntitlements,
    {
      title: 'List my entitlements',
      description: 'Lists extra rights of the person, such as creating groups, and when they expire.',
    },
  ],
})

const own = new Elysia({ prefix: '/v1/profile/entitlements', tags: ['User'] }).get(
  '',
  ...serve(listEntitlements),
)

const administration = new Elysia({
  prefix: '/v1/admin/users/:userId/entitlements',
  tags: ['Administration'],
})
  .post('', ...serve(grantEntitlement, { status: 201 }))
  .delete('/:id', ...serve(revokeEntitlement))

const entitlementRoutes = new Elysia().use(own).use(administration)

export const entitlementsArea = {
  routes: entitlementRoutes,
  tools: entitlementsTools,
}
