import { Elysia } from 'elysia'
import { serve } from '@/http/serve'
import { resource } from '@/mcp/resource'
import { toolbox } from '@/mcp/tool'
import { checkUsername, deleteProfile, readMe, readProfile, updateProfile } from './actions'

const meTools = toolbox({
  profile_get: [
    readProfile,
    {
      title: 'Read my profile',
      description:
        'Reads the profile of the person you act for: name, username, bio, location, settings. Use it first.',
    },
  ],
  profile_update: [
    updateProfile,
    {
      title: 'Change my profile',
      idempotent: true,
      destructive: true,
      description:
        'Changes the profile of the person; omitted fields stay, null clears. Ask before making anything public. Example: {"bio":"I build boats."}.',
    },
  ],
})

const meRoutes = new Elysia({ tags: ['User'] })
  .get('/v1/me', ...serve(readMe))
  .get('/v1/profile', ...serve(readProfile))
  .patch('/v1/profile', ...serve(updateProfile))
  .delete('/v1/profile', ...serve(deleteProfile))
  .get('/v1/profile/check-username/:username', ...serve(checkUsername))

export const meArea = {
  routes: meRoutes,
  tools: meTools,
  resources: [
    resource(readProfile, 'folkmoot://profile', {
      name: 'profile',
      title: 'My profile',
      description: 'The person you act for.',
    }),
  ],
}
