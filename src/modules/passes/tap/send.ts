import { type Caller, demand } from '@/core/caller'
import { AppError, isAppError, rateLimited } from '@/core/errors'
import { perObject } from '@/core/per-object'
import { db } from '@/db/client'
import { prefersHtml } from '@/http/accept'
import { slide } from '@/http/limits/hourly'
import { secondsLeft, type Verdict } from '@/http/limits/limiter'
import { JSON_TYPE, respond } from '@/http/respond'
import type { Visit } from '@/http/visit'
import { formToken } from '@/web/form-token'
import { languageOf, wordsFor } from '@/web/language'
import { LANGUAGES, type Language } from '@/words/language'
import { wordsIn } from '@/words/words'
import { personCard, strangerPart } from '../card/card'
import { CARD_HEADERS, type Card, joinedBytes } from '../card/document'
import { blankTagPage, refusalPage } from '../card/notes'
import { ownPassPage } from '../card/own-pass'
import { countPeopleMet, countPeopleMetBy } from '../connections/queries'
import { isInUse, NOT_IN_USE } from '../passes/in-use'
import { lookUpPass } from '../passes/look-up'
import { isOwned, type OwnedPass } from '../passes/owned-pass'
import type { KnownPass } from '../passes/queries'
import { tapJson } from './answer'
import { isTap } from './is-tap'
import { isKnownPair, pairOf } from './known-pairs'
import { tapBudget } from './limit'
import { meet, pairState } from './meet'
import { isRecorded, recordStranger } from './record'
import { newStranger, strangerOf } from './stranger'

type Answer = Response | Promise<Response>

const JSON_HEADERS = { 'content-type': JSON_TYPE, 'cache-control': 'no-store', vary: 'Accept' }
const HTML_HEADERS = { ...CARD_HEADERS, vary: 'Accept' }

/** Synchronous if the pass is cached and the visitor's tap is recorded: then it needs no query. */
export function sendTap(visit: Visit, { id = '' }: Record<string, string>): Answer {
  const verdict = slide(tapBudget(visit.request))
  return verdict instanceof Promise
    ? verdict.then((given) => withinLimit(visit, id, given))
    : withinLimit(visit, id, verdict)
}

function withinLimit(visit: Visit, id: string, verdict: Verdict): Answer {
  visit.budget = verdict
  try {
    if (!verdict.allowed) throw rateLimited(secondsLeft(verdict))
    const known = lookUpPass(visit, id)
    return known instanceof Promise ? refusing(visit, afterLoading(visit, known)) : show(visit, known)
  } catch (error) {
    return refuse(visit, error)
  }
}

const afterLoading = (visit: Visit, known: Promise<KnownPass>) => known.then((found) => show(visit, found))

const refusing = (visit: Visit, answer: Promise<Response>) => answer.catch((error) => refuse(visit, error))

function show(visit: Visit, known: KnownPass): Answer {
  if (!isInUse(known)) throw NOT_IN_USE
  const caller = demand(visit, 'public')
  if (!isOwned(known))
    return send(visit, known, false, () =>
      blankTagPage(known.pass.id, caller && formToken(caller), wordsFor(visit)),
    )
  if (caller === null) return toStranger(visit, known)
  return refusing(
    visit,
    caller.userId === known.owner.id ? toOwner(visit, known) : toPerson(visit, known, caller),
  )
}

function toStranger(visit: Visit, known: OwnedPass): Answer {
  const { value, setCookie } = strangerOf(visit.request) ?? newStranger()
  const pair = pairOf(value, known.owner.id)
  const isKnown = isKnownPair(pair)
  if (isKnown || !isTap(visit.request)) return sendToStranger(visit, known, isKnown)
  const met = { passId: known.pass.id, ownerId: known.owner.id, visitor: value, pair }
  // One promise for both outcomes: each further one costs as much as the rate limit check.
  return recordStranger(met).then(
    (refused) =>
      isRecorded(refused, met)
        ? sendToStranger(visit, known, true, setCookie)
        : sendToStranger(visit, known, false),
    (error) => refuse(visit, error),
  )
}

/** All anonymous visitors with one language get the same bytes, cached per pass. */
const parts = Object.fromEntries(
  LANGUAGES.map((language) => [
    language,
    perObject((known: OwnedPass) => new TextEncoder().encode(strangerPart(known, wordsIn(language)))),
  ]),
) as Record<Language, (known: OwnedPass) => Uint8Array>

function strangerDocument({ request }: Visit, known: OwnedPass) {
  const language = languageOf(request)
  return { status: 200, body: joinedBytes(parts[language](known), language) }
}

const sendToStranger = (
  visit: Visit,
  known: OwnedPass,
  connected: boolean,
  setCookie: string | null = null,
) => send(visit, known, connected, () => strangerDocument(visit, known), setCookie)

async function toOwner(visit: Visit, known: OwnedPass): Promise<Response> {
  const people = await countPeopleMetBy(db, known.owner.id, known.pass.id)
  const all = await countPeopleMet(db, known.owner.id)
  return send(visit, known, false, () => ownPassPage(known, { people, all }, wordsFor(visit)))
}

async function toPerson(visit: Visit, known: OwnedPass, caller: Caller): Promise<Response> {
  // Connections are visible only to tokens with the read scope.
  if (!caller.scopes.has('read:meetpass')) return sendToStranger(visit, known, false)
  const { userId } = caller
  const before = await pairState(userId, known.owner.id)
  const isNew = mayMeet(visit.request, caller) && !before.connected
  const { connected, follows } = isNew ? await meet(known, caller) : before
  const recordedNow = isNew && connected
  return send(visit, known, connected, () =>
    personCard(known, { formToken: formToken(caller), connected, recordedNow, follows }, wordsFor(visit)),
  )
}

/** Browsers attach cookies to any request, so a session needs a real tap; a token is always deliberate. */
const mayMeet = (request: Request, { credential, scopes }: Caller) =>
  scopes.has('write:meetpass') && (credential.kind === 'session' ? isTap(request) : request.method === 'GET')

function send(
  visit: Visit,
  known: KnownPass,
  connected: boolean,
  card: () => { status: number; body: Card['body'] | Uint8Array },
  setCookie: string | null = null,
): Response {
  const cookies = setCookie === null ? undefined : { 'set-cookie': setCookie }
  if (!prefersHtml(visit.request))
    return respond(visit, 200, tapJson(known, connected), JSON_HEADERS, cookies)
  const { status, body } = card()
  return respond(visit, status, body, HTML_HEADERS, cookies)
}

/** Errors about passes have their own pages; others get the default handling. */
function refuse(visit: Visit, error: unknown): Response {
  if (!isAppError(error)) throw error
  const page = prefersHtml(visit.request) ? refusalPage(error, wordsFor(visit)) : undefined
  if (page !== undefined) return respond(visit, page.status, page.body, HTML_HEADERS, error.headers)
  throw new AppError(error.appCode, error.message, { ...error.headers, 'cache-control': 'no-store' })
}
