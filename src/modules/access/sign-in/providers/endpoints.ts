import { notFound } from '@/core/errors'
import { transaction } from '@/db/transaction'
import { queryOf, type Visit } from '@/http/visit'
import { wordsFor } from '@/web/language'
import { loginPath } from '@/web/login'
import { message } from '@/web/message'
import type { Answer } from '@/web/page'
import { ownPath, redirect, redirectAway } from '@/web/redirect'
import type { Words } from '@/words/words'
import { chargeLogin, tryLogin } from '../limits'
import { goOn } from '../people/go-on'
import { type Started, startSession } from '../people/start-session'
import { sessionOf } from '../visitor'
import type { Account } from './accounts'
import { accountBehind, authorizationUrl, newChecks } from './client'
import { type Provider, providers } from './definitions'
import {
  type LoginState,
  linkTo,
  loginStateCleared,
  loginStateCookie,
  loginStateOf,
  personWith,
} from './link'
import { lostTrack, refusalAt, type SignInError, signedOut, signInErrorOf } from './sign-in-errors'

/** Redirects to a provider, to sign in or, if signed in, to link an account. */
export async function goToProvider(visit: Visit, id: string): Promise<Answer> {
  const provider = providerCalled(id)
  const returnTo = ownPath(askedOf(visit).get('returnTo'))
  const caller = sessionOf(visit)
  // Refuses a cross-site request to link an account (login CSRF).
  if (caller && comesFromElsewhere(visit.request)) return redirect(visit, 303, returnTo)
  await chargeLogin(visit)
  const loginState = { ...(await newChecks()), provider: id, returnTo, linkTo: caller?.userId ?? '' }
  let location: string
  try {
    location = await authorizationUrl(provider, loginState)
  } catch (error) {
    const words = wordsFor(visit)
    return explain(words, signInErrorOf(provider, error, words), loginState)
  }
  return redirectAway(visit, 302, location, [await loginStateCookie(loginState)])
}

/** Handles the redirect from a provider. Always deletes the login state. */
export async function returnFromProvider(visit: Visit, id: string): Promise<Answer> {
  const provider = providerCalled(id)
  const loginState = await loginStateOf(visit.request, id)
  const answer = await finishLogin(visit, provider, loginState)
  if (answer instanceof Response) {
    answer.headers.append('set-cookie', loginStateCleared())
    return answer
  }
  return { ...answer, headers: { ...answer.headers, 'set-cookie': loginStateCleared() } }
}

const askedOf = ({ request }: Visit) => new URLSearchParams(queryOf(request.url))

function providerCalled(id: string): Provider {
  const provider = providers.get(id)
  if (provider === undefined) throw notFound('Page')
  return provider
}

async function finishLogin(
  visit: Visit,
  provider: Provider,
  loginState: LoginState | undefined,
): Promise<Answer> {
  const words = wordsFor(visit)
  if (loginState === undefined) return explain(words, lostTrack(provider, words))
  const isLinking = loginState.linkTo !== ''
  if (isLinking && sessionOf(visit)?.userId !== loginState.linkTo)
    return explain(words, signedOut(provider, words))
  try {
    const learned = await learn(visit, provider, loginState)
    if ('title' in learned) return explain(words, learned, loginState)
    if (!isLinking) return goOn(visit, await signIn(visit, provider, learned), loginState.returnTo)
    await transaction((tx) => linkTo(tx, provider, learned, loginState.linkTo))
    return redirect(visit, 303, loginState.returnTo)
  } catch (error) {
    return explain(words, refusalAt(error, words), loginState)
  }
}

/** The account, or the reason of the failure, which counts as a failed sign-in. */
async function learn(
  visit: Visit,
  provider: Provider,
  loginState: LoginState,
): Promise<Account | SignInError> {
  const words = wordsFor(visit)
  let failure = lostTrack(provider, words)
  const account = await tryLogin(visit, loginState.state, () =>
    accountBehind(provider, askedOf(visit), loginState).catch((error) => {
      failure = signInErrorOf(provider, error, words)
      return undefined
    }),
  )
  return account ?? failure
}

const signIn = ({ request }: Visit, provider: Provider, account: Account): Promise<Started> =>
  transaction(async (tx) => startSession(tx, await personWith(tx, provider, account), request))

const explain = ({ access, errors }: Words, error: SignInError, loginState?: LoginState) =>
  message({
    ...error,
    to: loginState?.linkTo
      ? { href: loginState.returnTo, label: access.signIn.goBack }
      : { href: loginPath(loginState?.returnTo ?? '/'), label: errors.goToSignIn },
  })

const comesFromElsewhere = (request: Request) =>
  ['cross-site', 'same-site'].includes(request.headers.get('sec-fetch-site') ?? '')
