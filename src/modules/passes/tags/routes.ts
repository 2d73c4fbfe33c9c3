import { Elysia } from 'elysia'
import { serve } from '@/http/serve'
import { listMintedTags, mintTags } from './actions'

export const tagRoutes = new Elysia({ prefix: '/v1/admin/meetpass/tags', tags: ['Administration'] })
  .get('', ...serve(listMintedTags))
  .post('', ...serve(mintTags, { status: 201 }))
