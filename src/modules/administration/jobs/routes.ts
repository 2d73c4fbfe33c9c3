import { Elysia } from 'elysia'
import { front } from '@/http/front'
import { serve } from '@/http/serve'
import { readJobs } from './actions'

export const jobRoutes = new Elysia({ prefix: '/v1/admin/jobs', tags: ['Administration'] })
  .use(front)
  .get('', ...serve(readJobs))
