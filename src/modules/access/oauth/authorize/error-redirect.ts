import type { Visitor } from '@/core/caller'
import { db } from '@/db/client'
import { queryOf, type Visit } from '@/http/visit'
import { html } from '@/web/html'
import { wordsFor } from '@/web/language'
import type { Page } from '@/web/layout'
import type { Answer } from '@/web/page'
import { isLoopback } from '../redirect-uris'
import type { OAuthRefusal } from '../refusal'
import type { AuthorizationRequest } from './check-client'
import { unverified } from './consent-page'
import { findGrant } from './queries'
import { errorFields, redirectAddress, redirectResponse } from './redirect-response'
import { forDevelopers } from './refusal-page'

/**
 * Sends an error to the application. A request may be invalid on purpose, to make our link an open redirect (RFC 9700, 4.11.2).
 * So visitors who are not signed in are not redirected, and a dynamically registered application needs a click, unless the person
 * allowed it before.
 */
export const errorRedirect = async (
  visit: Visit,
  request: AuthorizationRequest,
  refusal: OAuthRefusal,
): Promise<Answer> =>
  (await isTrusted(request, visit.visitor))
    ? redirectResponse(visit, 302, request, errorFields(refusal))
    : confirmRedirectPage(visit, request, refusal)

async function isTrusted({ client, redirectUri }: AuthorizationRequest, visitor: Visitor): Promise<boolean> {
  if (typeof visitor === 'string') return false
  if (client.ownerId !== null || isLoopback(redirectUri)) return true
  return (await findGrant(db, visitor.userId, client.clientId)) !== undefined
}

function confirmRedirectPage(visit: Visit, request: AuthorizationRequest, refusal: OAuthRefusal): Page {
  const { protocol, host } = new URL(request.redirectUri)
  const words = wordsFor(visit)
  const { consent } = words.access
  const title = consent.failed
  const name = html`<bdi>${request.client.name}</bdi>`
  const { fault, description } = refusal
  const back = redirectAddress(request, errorFields(refusal))
  return {
    status: 400,
    title,
    body: html`<section class="card"><h1>${title}</h1>
<p>${fault === 'login_required' ? consent.wantedSilence(name) : consent.cannotAnswer(name)}</p>
${request.client.ownerId === null && unverified(consent, consent.goOnlyIfBegun)}
<a class="button plain wide" href="${back}" rel="noopener nofollow noreferrer">${consent.backTo(/^https?:$/.test(protocol) ? host : protocol)}</a>
${forDevelopers({ what: `${fault}: ${description}`, query: queryOf(visit.request.url), requestId: visit.id }, words)}
</section>`,
  }
}
