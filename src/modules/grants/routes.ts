import { Elysia } from 'elysia'
import { front } from '@/http/front'
import { serve } from '@/http/serve'
import { listGrants, revokeGrant } from './actions'

export const grantRoutes = new Elysia({ prefix: '/v1/profile/grants', tags: ['User'] })
  .use(front)
  .get('', ...serve(listGrants))
  .delete('/:grantId', ...serve(revokeGrant))
