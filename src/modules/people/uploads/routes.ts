import { Elysia } from 'elysia'
import { serve } from '@/http/serve'
import { deleteUpload, listUploads, readStorageUsage, requestUpload } from './actions'
import { receiveRoutes } from './receive/routes'
import { fileRoutes } from './serve/routes'

export const uploadRoutes = new Elysia({ tags: ['Uploads'] })
  .post('/v1/uploads/request', ...serve(requestUpload, { status: 201 }))
  .get('/v1/uploads', ...serve(listUploads))
  .get('/v1/uploads/usage', ...serve(readStorageUsage))
  .delete('/v1/uploads/*', ...serve(deleteUpload, { rest: 'key' }))
  .use(receiveRoutes)
  .use(fileRoutes)
