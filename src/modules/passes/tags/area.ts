import { Elysia } from 'elysia'
import { serve } from '@/http/serve'
import { listMintedTags, mintTags } from './actions'
import { tagSheet } from './sheet'

const tagRoutes = new Elysia({ prefix: '/v1/admin/meetpass/tags', tags: ['Administration'] })
  .get('', ...serve(listMintedTags))
  .post('', ...serve(mintTags, { status: 201 }))

export const tagsArea = {
  routes: tagRoutes,
  downloads: [tagSheet],
}
