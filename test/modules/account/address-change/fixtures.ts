import { get, post } from '../../../support/api'
import { makeSession, makeUser } from '../../../support/make'
import { mailsTo, newAddress, submit } from '../../access/sign-in/fixtures'

export const CONFIRM = '/auth/address/confirm'
export const UNDO = '/auth/address/undo'

export const change = (session: string, email: string) =>
  post('/v1/profile/email', { session, json: { email } })

/** The links in the mails to an address, newest first. */
export const tokensTo = async (address: string, path: string): Promise<string[]> =>
  (await mailsTo(address)).flatMap(
    ({ text }) => new RegExp(`${path}\\?token=([0-9a-f]{64})`).exec(text)?.[1] ?? [],
  )

export const open = (path: string, token: string, session?: string) =>
  get(`${path}?token=${token}`, { session })
export const press = (path: string, token: string, session?: string) =>
  submit(path, { token }, session === undefined ? {} : { cookie: `session=${session}` })

export async function makePerson() {
  const user = await makeUser({ email: newAddress() })
  return { user, old: user.email as string, session: await makeSession(user.id) }
}

/** Asks for another address and confirms it there. */
export async function move(session: string, to: string) {
  const asked = await change(session, to)
  const [token = ''] = await tokensTo(to, CONFIRM)
  return { asked, confirmed: await press(CONFIRM, token, session) }
}
