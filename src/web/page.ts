import { type Caller, demand } from '@/core/caller'
import type { AppError } from '@/core/errors'
import { mayNavigate, prefersHtml } from '@/http/accept'
import { isForm, isProgram, readFormPairs } from '@/http/form-body'
import { handle } from '@/http/handle'
import { describeProtocol, type Protocol } from '@/http/protocol'
import { refusalFor, refuse } from '@/http/refuse'
import { PERSONAL, type Traits } from '@/http/route-traits'
import { queryOf, type Visit } from '@/http/visit'
import { type Back, errorPage } from './error-page'
import { intentCleared, isIntended } from './intent'
import { type KeptField, unsentForm } from './kept-form'
import { addressOf, type Page, respondPage } from './layout'
import { loginPath } from './login'
import { ownPath } from './own-path'
import { redirect } from './redirect'
import { around } from './surroundings'

/** A page, or a way on to another one. */
export type Answer = Page | Response
export type Params = Record<string, string>
export type Load = {
  (visit: Visit, params: Params): Answer | Promise<Answer>
  /** The fields of a form that are said again where it cannot be taken for now. */
  held?: (visit: Visit) => readonly KeptField[] | undefined
  /** Does what a stranger pressed, now that they are signed in. */
  finish?: (visit: Visit, params: Params) => Answer | Promise<Answer>
}

export type PageOptions = {
  /** Where a refusal leads. */
  back?: Back
  /** How a refusal is said, where the usual page would not do. */
  refused?: (visit: Visit, error: AppError) => Page
  traits?: Traits
  /** The words of a protocol whose endpoint this page is, for the API's description. */
  described?: Protocol
  /** The forms of this page, by `?do=`: what a stranger pressed there is done when they come back signed in. */
  finishes?: Readonly<Record<string, Load>>
}

/**
 * Binds a page to a path. Its loader asks actions by `invoke` and gives what is to be shown. A refusal on the way is said on
 * a page as well, and a visitor who has to sign in first is sent there and back.
 */
export const page = (load: Load, options: PageOptions = {}) =>
  bindPage(
    async (visit, params) => {
      try {
        return shown(visit, await load(visit, params))
      } catch (thrown) {
        return refusedPage(visit, thrown, options)
      }
    },
    { ...options, held: load.held },
  )

type Bound = (visit: Visit, params: Params) => Response | Promise<Response>

/** Binds what answers for people by itself. */
export function bindPage(answerAlways: Bound, options: PageOptions & Pick<Load, 'held'> = {}) {
  const { traits = PERSONAL, described, held, finishes } = options
  const answer: Bound = finishes
    ? (visit, params) => finished(visit, params, finishes, options) ?? answerAlways(visit, params)
    : answerAlways
  const handler = handle(
    (visit, params: Params) => {
      const person = personOf(visit)
      const arrival = person === null ? undefined : around().arrival(person.userId)
      return arrival === undefined ? answer(visit, params) : after(arrival, answer, visit, params)
    },
    traits,
    held && ((visit, thrown) => unsent(visit, thrown, held)),
  )
  bound.add(handler)
  return [handler, { detail: described ? describeProtocol(described, traits) : { hide: true } }] as const
}

/** Without a name in the corner, a page is still a page. */
const after = (arrival: Promise<unknown>, answer: Bound, visit: Visit, params: Params) =>
  arrival.catch(() => undefined).then(() => answer(visit, params))

/**
 * Does what this browser pressed before its person signed in. Only a page of ours can have set the intent, so a link to this
 * address alone does nothing. A refusal that passes keeps the intent for the next try.
 */
function finished(
  visit: Visit,
  params: Params,
  deeds: Readonly<Record<string, Load>>,
  options: PageOptions,
): Promise<Response> | undefined {
  if (visit.request.method !== 'GET' || personOf(visit) === null) return undefined
  const name = new URLSearchParams(queryOf(visit.request.url)).get('do') ?? ''
  const finish = Object.hasOwn(deeds, name) ? deeds[name]?.finish : undefined
  if (finish === undefined || !isIntended(visit)) return undefined
  return Promise.try(() => finish(visit, params))
    .then((answer) => shown(visit, answer))
    .catch((thrown) => refusedPage(visit, thrown, options))
    .then((response) => {
      if (response.status !== 503 && response.status !== 429)
        response.headers.append('set-cookie', intentCleared())
      return response
    })
}

/** What was thrown at the door, before the form was read. */
async function unsent(visit: Visit, thrown: unknown, held: NonNullable<Load['held']>): Promise<Response> {
  const { request } = visit
  const error = refusalFor(visit, thrown)
  const fields = error.status === 503 && isForm(request) && prefersHtml(request) ? held(visit) : undefined
  if (fields === undefined || request.bodyUsed) return refuse(visit, error)
  try {
    return respondPage(visit, unsentForm(visit, error, await readFormPairs(request), fields))
  } catch (unread) {
    return refuse(visit, unread)
  }
}

const bound = new WeakSet<object>()

/** Whether a route is one for people. */
export const isPage = (handler: unknown): boolean => bound.has(handler as object)

const shown = (visit: Visit, answer: Answer): Response =>
  answer instanceof Response ? answer : respondPage(visit, answer)

/** Whatever was thrown, as a page. */
export const refusedPage = (visit: Visit, thrown: unknown, options: PageOptions): Response =>
  shown(visit, refusal(visit, refusalFor(visit, thrown), options))

function refusal(visit: Visit, error: AppError, { back, refused }: PageOptions): Answer {
  if (refused) return refused(visit, error)
  if (isProgram(visit.request)) throw error
  return error.status === 401 && mayComeBack(visit) ? toSignIn(visit) : errorPage(visit, error, back)
}

/** A credential that was refused would be refused again; and what was sent cannot be sent again by a link. */
const mayComeBack = ({ visitor, request }: Visit) => visitor === 'anonymous' && mayNavigate(request)

/** The person for whom a page is; nobody else gets past here. */
export const signedIn = (visit: Visit): Caller => demand(visit, 'session') as Caller

/** Whoever is signed in with this browser. */
export const personOf = ({ visitor }: Visit): Caller | null =>
  typeof visitor === 'object' && visitor.credential.kind === 'session' ? visitor : null

/** To the sign-in, and back to this very address. */
export const toSignIn = (visit: Visit): Response => redirect(visit, 303, loginPath(ownPath(addressOf(visit))))
