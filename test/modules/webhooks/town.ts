import { patch, post } from '../../support/api'
import { makeCaller } from '../../support/make'

/** A person whose webhook hears when they change their profile. */
export async function makeListening(url: string, eventTypes = ['user.updated']) {
  const { token, user } = await makeCaller(['user', 'developer'])
  const made = await post('/v1/developer/webhooks', { token, json: { url, eventTypes } })
  if (made.status !== 201) throw new Error(`${made.status} ${made.text}`)
  let count = 0
  return {
    id: made.body.data.id as string,
    secret: made.body.data.secret as string,
    token,
    user,
    happen: () => patch('/v1/profile', { token, json: { bio: `change ${count++}` } }),
  }
}
