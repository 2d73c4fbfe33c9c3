import { Elysia } from 'elysia'
import { serve } from '@/http/serve'
import { claimBadge, readClaim } from './actions'
import { createClaimLink, createPlatformClaimLink, deleteClaimLink, listClaimLinks } from './manage/actions'

const door = new Elysia({ prefix: '/v1/claim/:code', tags: ['Claims'] })
  .get('', ...serve(readClaim))
  .post('', ...serve(claimBadge, { status: 201 }))

const management = new Elysia({ prefix: '/v1/manage/groups/:groupId', tags: ['Management'] })
  .get('/badges/:badgeId/claim-links', ...serve(listClaimLinks))
  .post('/badges/:badgeId/claim-links', ...serve(createClaimLink, { status: 201 }))
  .delete('/claim-links/:linkId', ...serve(deleteClaimLink))

const administration = new Elysia({ prefix: '/v1/admin/badges/:badgeId', tags: ['Administration'] }).post(
  '/claim-links',
  ...serve(createPlatformClaimLink, { status: 201 }),
)

export const claimRoutes = new Elysia().use(door).use(management).use(administration)
