import { Elysia } from 'elysia'
import { serve } from '@/http/serve'
import { checkUsername, deleteProfile, readMe, readProfile, updateProfile } from './actions'

export const meRoutes = new Elysia({ tags: ['User'] })
  .get('/v1/me', ...serve(readMe))
  .get('/v1/profile', ...serve(readProfile))
  .patch('/v1/profile', ...serve(updateProfile))
  .delete('/v1/profile', ...serve(deleteProfile))
  .get('/v1/profile/check-username/:username', ...serve(checkUsername))
