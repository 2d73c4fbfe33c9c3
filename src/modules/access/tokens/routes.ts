import { Elysia } from 'elysia'
import { serve } from '@/http/serve'
import { createToken, listTokens, revokeToken } from './actions'

export const tokenRoutes = new Elysia({ prefix: '/v1/profile/tokens', tags: ['User'] })
  .get('', ...serve(listTokens))
  .post('', ...serve(createToken, { status: 201 }))
  .delete('/:id', ...serve(revokeToken))
