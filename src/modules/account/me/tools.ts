import { toolbox } from '@/mcp/tool'
import { readProfile, updateProfile } from './actions'

export const meTools = toolbox({
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
