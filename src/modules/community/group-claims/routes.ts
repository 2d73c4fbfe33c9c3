import { Elysia } from 'elysia'
import { serve } from '@/http/serve'
import { acceptGroupInvite, claimGroup, readGroupInvite } from './actions'
import {
  approveGroupClaim,
  createGroupInvite,
  listGroupClaims,
  rejectGroupClaim,
} from './administration/actions'

const claiming = new Elysia({ prefix: '/v1/groups', tags: ['Claims'] })
  .get('/claim/:token', ...serve(readGroupInvite))
  .post('/claim/:token', ...serve(acceptGroupInvite))
  .post('/:slug/claim', ...serve(claimGroup, { status: 201 }))

const administration = new Elysia({ prefix: '/v1/admin', tags: ['Administration'] })
  .get('/group-claims', ...serve(listGroupClaims))
  .post('/group-claims/:requestId/approve', ...serve(approveGroupClaim))
  .post('/group-claims/:requestId/reject', ...serve(rejectGroupClaim))
  .post('/groups/:groupId/claim-invites', ...serve(createGroupInvite, { status: 201 }))

export const groupClaimRoutes = new Elysia().use(claiming).use(administration)
