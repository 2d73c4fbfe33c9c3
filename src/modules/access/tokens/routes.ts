import { Elysia } from 'elysia'
import { front } from '@/http/front'
import { serve } from '@/http/serve'
import { createToken, listTokens, revokeToken } from './actions'

export const tokenRoutes = new Elysia({ prefix: '/v1/profile/tokens', tags: ['User'] })
  .use(front)
  .get('', ...serve(listTokens))
  .post('', ...serve(createToken, { status: 201 }))
  .delete('/:id', ...serve(revokeToken))
