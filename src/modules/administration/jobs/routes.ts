import { Elysia } from 'elysia'
import { serve } from '@/http/serve'
import { readJobs } from './actions'

export const jobRoutes = new Elysia({ prefix: '/v1/admin/jobs', tags: ['Administration'] }).get(
  '',
  ...serve(readJobs),
)
