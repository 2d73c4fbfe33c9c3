import { Elysia } from 'elysia'
import { front } from '@/http/front'
import { serve } from '@/http/serve'
import { grantEntitlement, listEntitlements, revokeEntitlement } from './actions'

const own = new Elysia({ prefix: '/v1/profile/entitlements', tags: ['User'] })
  .use(front)
  .get('', ...serve(listEntitlements))

const administration = new Elysia({
  prefix: '/v1/admin/users/:userId/entitlements',
  tags: ['Administration'],
})
  .use(front)
  .post('', ...serve(grantEntitlement, { status: 201 }))
  .delete('/:id', ...serve(revokeEntitlement))

export const entitlementRoutes = new Elysia().use(front).use(own).use(administration)
