import { now } from '@/core/clock'
import { clearedCookie, cookie, cookieOf } from '@/http/cookies'
import { signer } from '@/http/signed'
import type { Checks } from './client'

const NAME = 'sign_in'
const PATH = '/auth/'
const TEN_MINUTES_MS = 10 * 60 * 1000

/** What a browser carries while its person is away at a provider's. */
export type Errand = Checks & {
  provider: string
  returnTo: string
  /** Whose account it is to be linked to; empty for somebody who signs in. */
  linkTo: string
}

const errands = signer('sign-in errand')

export async function errandCookie(errand: Errand): Promise<string> {
  const { token } = await errands.sign(errand, TEN_MINUTES_MS)
  return cookie(NAME, token, { maxAgeSeconds: TEN_MINUTES_MS / 1000, path: PATH })
}

export const errandDone = () => clearedCookie(NAME, PATH)

/** Nothing for what we did not sign, for another provider's, and for what took too long. */
export async function errandOf(request: Request, provider: string): Promise<Errand | undefined> {
  const opened = await errands.open(cookieOf(request, NAME) ?? '')
  if (opened === undefined || opened.expiresAt <= now()) return undefined
  return opened.value.provider === provider ? (opened.value as Errand) : undefined
}
