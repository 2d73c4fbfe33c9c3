import { isAppError } from '@/core/errors'
import { invoke } from '@/http/invoke'
import type { Visit } from '@/http/visit'
import { usernamesFor } from '@/modules/access/sign-in/people/usernames'
import { readMe, updateProfile } from '@/modules/account/me/actions'
import { formInput } from '@/web/form-input'

/** The username of a person whose name was unknown when they registered. */
const DRAWN = /^user-[0-9a-f]{8}$/

/** Saves a newcomer's answers. A username that was drawn for them becomes one that goes with their name. */
export async function introduce(visit: Visit, values: URLSearchParams, avatarUrl?: string): Promise<void> {
  const change = {
    // A name that is left out would stay as it is.
    name: '',
    ...formInput(updateProfile.input, ['name', 'profileVisibility'], values),
    ...(avatarUrl && { avatarUrl }),
  }
  const { username } = await invoke(visit, readMe, () => ({}))
  const save = (more = {}) => invoke(visit, updateProfile, () => ({ ...change, ...more }))
  for (const candidate of DRAWN.test(username ?? '') ? fitting(change.name) : [])
    try {
      await save({ username: candidate })
      return
    } catch (error) {
      // Another person has it; whatever else is in the way, the last try says.
      if (!isAppError(error) || error.appCode !== 'conflict') throw error
    }
  await save()
}

function* fitting(name: string): Generator<string> {
  for (const candidate of usernamesFor({ login: null, name })) {
    if (DRAWN.test(candidate)) return
    yield candidate
  }
}
