import { Elysia } from 'elysia'
import { serve } from '@/http/serve'
import { exportProfile } from './actions'

export const exportRoutes = new Elysia({ tags: ['User'] }).get('/v1/profile/export', ...serve(exportProfile))
