import { Elysia } from 'elysia'
import { serve } from '@/http/serve'
import { createPassDesign, listPassDesigns } from './actions'
import { designPictures } from './pictures'

const designRoutes = new Elysia({ prefix: '/v1/admin/meetpass/designs', tags: ['Administration'] })
  .get('', ...serve(listPassDesigns))
  .post('', ...serve(createPassDesign, { status: 201 }))

export const designsArea = {
  routes: designRoutes,
  pictures: designPictures,
}
