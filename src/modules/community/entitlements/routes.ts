import { Elysia } from 'elysia'
import { serve } from '@/http/serve'
import { grantEntitlement, listEntitlements, revokeEntitlement } from './actions'

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

export const entitlementRoutes = new Elysia().use(own).use(administration)
