import { demandSameSite } from '@/auth/csrf'
import { type Caller, type Visitor, whyUnknown } from '@/core/caller'
import { now } from '@/core/clock'
import { badRequest, forbidden, rateLimited, unauthorized } from '@/core/errors'
import { refusals } from '@/core/refusals'
import { db } from '@/db/client'
import { readForm } from '@/http/form-body'
import { charge } from '@/http/limits/hourly'
import { secondsLeft } from '@/http/limits/limiter'
import { signer } from '@/http/signed'
import { queryOf, type Visit } from '@/http/visit'
import { wordsFor } from '@/web/language'
import { type Page, policy } from '@/web/layout'
import type { Answer } from '@/web/page'
import type { Words } from '@/words/words'
import { OAuthRefusal } from '../refusal'
import { allow, allowAgain } from './allow'
import { type AuthorizationRequest, checkClient } from './check-client'
import { type Asked, checkRequest } from './check-request'
import { boxedOf, choiceFor, chosenOf, type Left } from './choice'
import { consentPage, formTargets, toFreshLogin, toLogin } from './consent-page'
import { errorRedirect } from './error-redirect'
import { findGrant, findName } from './queries'
import { answering, errorFields, redirectResponse } from './redirect-response'
import { PageRefusal } from './refusal-page'

export async function authorize(visit: Visit): Promise<Answer> {
  const query = queryOf(visit.request.url)
  const request = await checkClient(query)
  const work = async () => {
    const caller = signedIn(visit.visitor)
    const isSilent = asksFor(request, 'none')
    if (!caller && isSilent) throw new OAuthRefusal('login_required', 'The person is not signed in')
    if (!isSilent && asksFor(request, 'login')) return toFreshLogin(visit, query)
    if (!caller) return toLogin(visit, query)
    await chargeVisit(caller)
    const asked = checkRequest(request, caller)
    const code = needsConsent(asked) ? undefined : await allowAgain(asked)
    if (code !== undefined) return redirectResponse(visit, 302, request, { code })
    if (asked.prompt.has('none')) throw new OAuthRefusal('consent_required', 'The person has to be asked')
    return ask(wordsFor(visit), query, asked)
  }
  return answering(work, (refusal) => errorRedirect(visit, request, refusal))
}

/** The person's answer. The signed request returns with it and is validated again. */
export async function decide(visit: Visit): Promise<Answer> {
  const words = wordsFor(visit)
  const visitor = signedIn(visit.visitor)
  if (visitor) demandSameSite(visit.request)
  const form = await readForm(visit.request)
  const { caller, query, shown } = await openConsent(form.get('request'), visitor)
  const request = await checkClient(query)
  const work = async () => {
    await chargeVisit(caller)
    const asked = checkRequest(request, caller)
    demandYes(form.get('decision'))
    const left = { form, shown }
    // A person who became an administrator meanwhile has not been asked for `admin`.
    if (!boxedOf(asked).every((scope) => shown.includes(scope))) return ask(words, query, asked, { left })
    const { scopes, declined } = chosenOf(asked, form)
    if (scopes.length === 0)
      return ask(words, query, asked, { left, problem: words.access.consent.nothingTicked })
    return redirectResponse(visit, 303, request, { code: await allow({ ...asked, scopes }, declined) })
  }
  return answering(work, (refusal) => redirectResponse(visit, 303, request, errorFields(refusal)))
}

function demandYes(decision: string | undefined): void {
  if (decision === 'deny') throw new OAuthRefusal('access_denied', 'The person said no')
  if (decision !== 'allow') throw badRequest(refusals.consentMissing)
}

/** Anyone can use a public client's id, so people are asked each time. The page also lets them switch accounts. */
const needsConsent = ({ prompt, request }: Asked) =>
  prompt.has('consent') || prompt.has('select_account') || request.client.authMethod === 'none'

type Again = { left?: Left; problem?: string }

async function ask(words: Words, query: string, asked: Asked, again: Again = {}): Promise<Page> {
  const { request, caller } = asked
  const { left, problem } = again
  const person = await findName(db, caller.userId)
  if (!person) throw unauthorized(true)
  const before = await findGrant(db, caller.userId, request.client.clientId)
  const choice = choiceFor(asked, before, left)
  const sealed = await sealConsent({ query, shown: boxedOf(asked) }, caller)
  return {
    status: problem === undefined ? 200 : 400,
    title: words.access.consent.title(request.client.name),
    body: consentPage({ request, choice, person, query, sealed, problem, words }),
    headers: { 'content-security-policy': policy(formTargets(request.redirectUri)) },
  }
}

function signedIn(visitor: Visitor): Caller | undefined {
  if (visitor === 'anonymous') return undefined
  if (typeof visitor === 'string') throw whyUnknown(visitor)
  if (visitor.credential.kind !== 'session') throw forbidden(refusals.sessionNeeded)
  return visitor
}

const asksFor = ({ parameters }: AuthorizationRequest, prompt: string) =>
  !!parameters.get('prompt')?.split(' ').includes(prompt)

const PER_MINUTE = 120

/** Bounded, because each visit may store a code. */
async function chargeVisit({ userId }: Caller): Promise<void> {
  const budget = { key: `authorize:${userId}`, limit: PER_MINUTE, windowMs: 60_000 }
  const verdict = await charge(budget, 1)
  if (!verdict.allowed) throw rateLimited(secondsLeft(verdict))
}

const TEN_MINUTES_MS = 10 * 60 * 1000

const forms = signer('consent')

/** The signed request, and the scopes on the page. */
type Question = { query: string; shown: readonly string[] }

/** Signed for this session, so that the answer cannot be attached to another request. */
const sealConsent = async ({ query, shown }: Question, { credential }: Caller): Promise<string> =>
  (await forms.sign({ query, shown: shown.join(' '), session: credential.id }, TEN_MINUTES_MS)).token

/** Returns the request to the same session. Others, and expired ones, are asked again. */
async function openConsent(
  sealed: string | undefined,
  caller: Caller | undefined,
): Promise<Question & { caller: Caller }> {
  const opened = await forms.open(sealed ?? '')
  const { query, shown = '', session } = opened?.value ?? {}
  if (caller === undefined) throw new PageRefusal('unauthorized', refusals.signInEnded, { query })
  if (opened === undefined || session !== caller.credential.id || opened.expiresAt <= now())
    throw new PageRefusal('bad_request', refusals.consentExpired, { query })
  return { caller, query: query ?? '', shown: shown.split(' ') }
}
