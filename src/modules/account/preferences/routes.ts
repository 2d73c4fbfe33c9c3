import { Elysia } from 'elysia'
import { serve } from '@/http/serve'
import { readPreferences, updatePreferences } from './actions'

export const preferenceRoutes = new Elysia({ prefix: '/v1/profile/preferences', tags: ['User'] })
  .get('', ...serve(readPreferences))
  .patch('', ...serve(updatePreferences))
