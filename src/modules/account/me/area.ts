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
        'Reads the profile of the person for whom you act: name, username, bio, location, settings. Use it first, to learn who that is.',
    },
  ],
  profile_update: [
    updateProfile,
    {
      title: 'Change my profile',
      idempotent: true,
      destructive: true,
      description:
        'Changes the profile of the person; fields that you leave out stay, null empties. What becomes public is for them to decide. Example: {"bio":"I build boats."}.',
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
      description: 'The person for whom you act.',
    }),
  ],
}
