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
import { addressOf, type Page, respondPage } from './layout'
import { loginPath } from './login'
import { ownPath, redirect } from './redirect'
import { around } from './surroundings'
import { type FormField, unsentForm } from './unsent-form'

export type Answer = Page | Response
export type Params = Record<string, string>
export type Load = {
  (visit: Visit, params: Params): Answer | Promise<Answer>
  /** Fields of a form to show again if it cannot be processed right now. */
  fieldsToKeep?: (visit: Visit) => readonly FormField[] | undefined
  /** Runs what a visitor pressed, after sign-in. */
  finish?: (visit: Visit, params: Params) => Answer | Promise<Answer>
}

export type PageOptions = {
  /** The link on an error page. */
  back?: Back
  /** Replaces the usual error page. */
  refused?: (visit: Visit, error: AppError) => Page
  traits?: Traits
  /** The API description, if the page is an endpoint of a protocol. */
  described?: Protocol
  /** Forms of this page by `?do=` that run after a visitor's sign-in. */
  finishes?: Readonly<Record<string, Load>>
}

/**
 * Binds a page to a path. Its loader invokes actions and returns the page. Errors become pages too, and a visitor who must sign
 * in is redirected there and back.
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
    { ...options, fieldsToKeep: load.fieldsToKeep },
  )

type Bound = (visit: Visit, params: Params) => Response | Promise<Response>

/** Binds a handler that builds its own responses for people. */
export function bindPage(answerAlways: Bound, options: PageOptions & Pick<Load, 'fieldsToKeep'> = {}) {
  const { traits = PERSONAL, described, fieldsToKeep, finishes } = options
  const answer: Bound = finishes
    ? (visit, params) => finished(visit, params, finishes, options) ?? answerAlways(visit, params)
    : answerAlways
  const handler = handle(
    (visit, params: Params) => {
      const person = personOf(visit)
      if (person === null) return answer(visit, params)
      return around()
        .preloadPerson(person.userId)
        .catch(() => {}) // Without the name in the corner, the page still works.
        .then(() => answer(visit, params))
    },
    traits,
    fieldsToKeep && ((visit, thrown) => unsent(visit, thrown, fieldsToKeep)),
  )
  bound.add(handler)
  return [handler, { detail: described ? describeProtocol(described, traits) : { hide: true } }] as const
}

/**
 * Runs what this browser pressed before sign-in. Only our own page can set the intent, so a link alone does nothing. A transient
 * error keeps the intent for a retry.
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

/** Handles an error of admission, before the form was read. */
async function unsent(
  visit: Visit,
  thrown: unknown,
  fieldsToKeep: NonNullable<Load['fieldsToKeep']>,
): Promise<Response> {
  const { request } = visit
  const error = refusalFor(visit, thrown)
  const fields =
    error.status === 503 && isForm(request) && prefersHtml(request) ? fieldsToKeep(visit) : undefined
  if (fields === undefined || request.bodyUsed) return refuse(visit, error)
  try {
    return respondPage(visit, unsentForm(visit, error, await readFormPairs(request), fields))
  } catch (unread) {
    return refuse(visit, unread)
  }
}

const bound = new WeakSet<object>()

export const isPage = (handler: unknown): boolean => bound.has(handler as object)

const shown = (visit: Visit, answer: Answer): Response =>
  answer instanceof Response ? answer : respondPage(visit, answer)

export const refusedPage = (visit: Visit, thrown: unknown, options: PageOptions): Response =>
  shown(visit, refusal(visit, refusalFor(visit, thrown), options))

function refusal(visit: Visit, error: AppError, { back, refused }: PageOptions): Answer {
  if (refused) return refused(visit, error)
  if (isProgram(visit.request)) throw error
  return error.status === 401 && mayComeBack(visit) ? toSignIn(visit) : errorPage(visit, error, back)
}

/** Signing in does not help a refused credential, and a link cannot repeat a POST. */
const mayComeBack = ({ visitor, request }: Visit) => visitor === 'anonymous' && mayNavigate(request)

/** The signed-in person; otherwise throws. */
export const signedIn = (visit: Visit): Caller => demand(visit, 'session') as Caller

/** The person signed in with this browser. */
export const personOf = ({ visitor }: Visit): Caller | null =>
  typeof visitor === 'object' && visitor.credential.kind === 'session' ? visitor : null

/** Redirects to the sign-in, and back to this address. */
export const toSignIn = (visit: Visit): Response => redirect(visit, 303, loginPath(ownPath(addressOf(visit))))
