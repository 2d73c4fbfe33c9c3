import { notFound } from '@/core/errors'
import { transaction } from '@/db/transaction'
import { queryOf, type Visit } from '@/http/visit'
import { redirect, sessionCookie } from '../answers'
import { chargeErrand, tryErrand } from '../limits'
import { ownPath } from '../own-path'
import { messagePage } from '../pages'
import { admit } from '../people/admit'
import { comesFromElsewhere } from '../same-site'
import { sessionOf } from '../visitor'
import type { Account } from './accounts'
import { accountBehind, authorizationUrl, newChecks } from './client'
import { type Provider, providers } from './definitions'
import { type Errand, errandCookie, errandDone, errandOf } from './errand'
import { linkTo, personWith } from './link'
import { lostTrack, refusalAt, signedOut, type Trouble, troubleWith } from './trouble'

/** Somebody wants to sign in with a provider or, being signed in, to link their account there. */
export async function goToProvider(visit: Visit, id: string): Promise<Response> {
  const provider = providerCalled(id)
  const returnTo = ownPath(askedOf(visit).get('returnTo'))
  const caller = sessionOf(visit)
  // Whoever is signed in links an account because they chose to here, never because another site sent them.
  if (caller && comesFromElsewhere(visit.request)) return redirect(visit, 303, returnTo)
  await chargeErrand(visit)
  const errand = { ...(await newChecks()), provider: id, returnTo, linkTo: caller?.userId ?? '' }
  let location: string
  try {
    location = await authorizationUrl(provider, errand)
  } catch (error) {
    return explain(visit, troubleWith(provider, error), errand)
  }
  return redirect(visit, 302, location, [await errandCookie(errand)])
}

/** The provider sends them back. Whatever comes of it, the errand is over. */
export async function returnFromProvider(visit: Visit, id: string): Promise<Response> {
  const provider = providerCalled(id)
  const errand = await errandOf(visit.request, id)
  const answer = await settle(visit, provider, errand)
  answer.headers.append('set-cookie', errandDone())
  return answer
}

const askedOf = ({ request }: Visit) => new URLSearchParams(queryOf(request.url))

function providerCalled(id: string): Provider {
  const provider = providers.get(id)
  if (provider === undefined) throw notFound('Page')
  return provider
}

async function settle(visit: Visit, provider: Provider, errand: Errand | undefined): Promise<Response> {
  if (errand === undefined) return explain(visit, lostTrack(provider))
  const isLinking = errand.linkTo !== ''
  if (isLinking && sessionOf(visit)?.userId !== errand.linkTo) return explain(visit, signedOut(provider))
  try {
    const learned = await learn(visit, provider, errand)
    if ('title' in learned) return explain(visit, learned, errand)
    const cookies = isLinking
      ? await linkAccount(provider, learned, errand)
      : await signIn(visit, provider, learned)
    return redirect(visit, 303, errand.returnTo, cookies)
  } catch (error) {
    return explain(visit, refusalAt(error), errand)
  }
}

/** Who it is, or why that could not be learned, which counts as a failed sign-in. */
async function learn(visit: Visit, provider: Provider, errand: Errand): Promise<Account | Trouble> {
  let trouble = lostTrack(provider)
  const account = await tryErrand(visit, errand.state, () =>
    accountBehind(provider, askedOf(visit), errand).catch((error) => {
      trouble = troubleWith(provider, error)
      return undefined
    }),
  )
  return account ?? trouble
}

async function linkAccount(provider: Provider, account: Account, errand: Errand): Promise<string[]> {
  await transaction((tx) => linkTo(tx, provider, account, errand.linkTo))
  return []
}

async function signIn({ request }: Visit, provider: Provider, account: Account): Promise<string[]> {
  const secret = await transaction(async (tx) => admit(tx, await personWith(tx, provider, account), request))
  return [sessionCookie(secret)]
}

function explain(visit: Visit, { status, title, text, headers }: Trouble, errand?: Errand): Response {
  const back = errand?.linkTo ? { href: errand.returnTo, label: 'Go back' } : undefined
  return messagePage(visit, status, { title, text, back, returnTo: errand?.returnTo }, headers)
}
