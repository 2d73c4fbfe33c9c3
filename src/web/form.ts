import type { Static } from '@sinclair/typebox'
import { isSameSite } from '@/auth/csrf'
import type { AnyAction, ResultOf } from '@/core/action'
import type { Caller } from '@/core/caller'
import { type AppError, badRequest, type ErrorCode } from '@/core/errors'
import { isForm, isSentByPage, readFormPairs } from '@/http/form-body'
import { invoke } from '@/http/invoke'
import { pathNames } from '@/http/path-names'
import { refusalFor } from '@/http/refuse'
import { queryOf, type Visit } from '@/http/visit'
import { LANGUAGES } from '@/words/language'
import { type Words, wordsIn } from '@/words/words'
import { spoken, translated } from './error-page'
import { formInput, momentName } from './form-input'
import { isOwnForm } from './form-token'
import { intentCookie } from './intent'
import { wordsFor } from './language'
import { addressOf, type Page } from './layout'
import { loginPath } from './login'
import { type Answer, type Load, type PageOptions, type Params, page, signedIn, toSignIn } from './page'
import { ownPath, redirect } from './redirect'
import { expiredForm, type FormField, unsentForm } from './unsent-form'

type Input = Record<string, unknown>

/** The submitted values and the error, for rendering the form again. */
export type Sent = {
  values: URLSearchParams
  /** A sentence without its full stop, and its field if known. */
  problem: { text: string; field?: string }
  /** The form was sent for a preview: `problem.text` is empty. */
  isPreview?: boolean
}

/** The input, and why a file was refused. */
export type Read = { values: URLSearchParams; error?: unknown }
type ReadForm = (visit: Visit, caller: Caller | null) => Promise<Read>

const readTyped: ReadForm = async ({ request }) => ({ values: await readFormPairs(request) })

type Fields<A extends AnyAction> = {
  readonly [Name in keyof Static<A['input']> | `${string}.${string}`]?: string | null
}

type Options<A extends AnyAction> = Pick<PageOptions, 'back' | 'described'> & {
  /** The action's fields on the form with their labels; null for hidden ones. `venue.city` is a field of an object. */
  fields: Fields<A> | ((words: Words) => Fields<A>)
  /** Renders the page of the form again with an error. Forms post to the address of their page. */
  page: (visit: Visit, params: Params, sent: Sent) => Page | Promise<Page>
  /**
   * Where to redirect. `result` is undefined if the action failed with a code in `ignoredErrors`. A Page is shown directly: for a
   * secret that is shown only once.
   */
  done: (
    input: Input,
    result: ResultOf<A> | undefined,
    visit: Visit,
    params: Params,
  ) => string | Page | Promise<string | Page>
  /** Fields that are never shown again, not even to their author. */
  secrets?: readonly (keyof Static<A['input']>)[]
  /** Reads a form with a file: stores the file and puts its URL into the field. */
  read?: ReadForm
  /** Fills in empty fields, or throws a field error to ask for confirmation. */
  prepare?: (input: Input, values: URLSearchParams) => void
  /** Errors that count as success: nothing had to change. */
  ignoredErrors?: readonly ErrorCode[]
  /**
   * The button's anchor, such as `#seat`. If set, a visitor who presses the button signs in, and then the form is submitted. Only
   * for a form without fields, on a page whose `finishes` names it.
   */
  afterSignIn?: `#${string}`
}

/**
 * Binds a form of a signed-in person to an action: on success redirects, otherwise renders the page again with the input and the
 * error.
 */
export const form = <A extends AnyAction>(action: A, options: Options<A>) =>
  page(deed(action, options), options)

/** Binds the forms of one page. Each posts to the page's address with its name as `?do=`. */
export const forms = (deeds: Readonly<Record<string, Load>>, options: PageOptions = {}) =>
  page(
    Object.assign(
      ((visit, params) => {
        const load = askedFor(visit, deeds)
        if (load === undefined) throw badRequest(wordsFor(visit).errors.damaged)
        return load(visit, params)
      }) satisfies Load,
      { fieldsToKeep: (visit: Visit) => askedFor(visit, deeds)?.fieldsToKeep?.(visit) },
    ),
    options,
  )

function askedFor(visit: Visit, deeds: Readonly<Record<string, Load>>): Load | undefined {
  const name = new URLSearchParams(queryOf(visit.request.url)).get('do') ?? ''
  return Object.hasOwn(deeds, name) ? deeds[name] : undefined
}

/** The handler of one form among those that `forms` binds. */
export function deed<A extends AnyAction>(
  action: A,
  {
    fields,
    page: show,
    done,
    read = readTyped,
    prepare,
    ignoredErrors = [],
    secrets = [],
    afterSignIn,
  }: Options<A>,
): Load {
  const labelsIn = (words: Words): Labels =>
    new Map(Object.entries(typeof fields === 'function' ? fields(words) : fields))
  const names = [...labelsIn(wordsIn(LANGUAGES[0])).keys()]
  const readNames = pathNames(action)

  const renderWithError = async (
    visit: Visit,
    error: AppError,
    showWith: (problem: Sent['problem']) => Page | Promise<Page>,
  ) => {
    if (!isFixableByInput(error)) throw error
    const words = wordsFor(visit)
    const { headers, ...rest } = await showWith(problemOf(error, labelsIn(words), words))
    return { ...rest, status: error.status, headers: { ...headers, ...error.headers } }
  }

  const keptFields = (words: Words): FormField[] =>
    [...labelsIn(words)]
      .filter(([name]) => !(secrets as readonly string[]).includes(name))
      .flatMap(([name, label = null]) => [
        { name, label },
        { name: momentName(name), label: null },
      ])

  const run: Load = async (visit, params) => {
    const isStranger = visit.visitor === 'anonymous'
    // Ignores JSON bodies of programs and cross-site posts.
    const isOurs = (read === readTyped ? isForm : isSentByPage)(visit.request)
    if (isStranger && !(isOurs && isSameSite(visit.request))) return toSignIn(visit)
    if (isStranger && afterSignIn !== undefined)
      return redirect(visit, 303, loginPath(ownPath(addressOf(visit) + afterSignIn)), [intentCookie(visit)])
    const caller = isStranger ? null : signedIn(visit)
    const sent = await read(visit, caller)
    if (caller === null || !isOwnForm(sent.values, caller))
      return expiredForm(visit, caller, sent.values, keptFields(wordsFor(visit)))
    return perform(visit, params, sent)
  }

  const perform = async (visit: Visit, params: Params, { values, error: refused }: Read): Promise<Answer> => {
    const input: Input = {}
    let result: ResultOf<A> | undefined
    try {
      if (refused !== undefined) throw refused
      result = await invoke(visit, action, () => {
        Object.assign(input, formInput(action.input, names, values), readNames(params))
        prepare?.(input, values)
        return input
      })
    } catch (thrown) {
      const error = refusalFor(visit, thrown)
      if (!ignoredErrors.includes(error.appCode))
        return renderWithError(visit, error, (problem) => show(visit, params, { values, problem })).catch(
          (worse) => {
            const shown = refusalFor(visit, worse)
            if (shown.status !== 503) throw shown
            return unsentForm(visit, shown, values, keptFields(wordsFor(visit)))
          },
        )
    }
    const next = await done(input, result, visit, params)
    return typeof next === 'string' ? redirect(visit, 303, next) : next
  }

  return Object.assign(run, {
    fieldsToKeep: (visit: Visit) => keptFields(wordsFor(visit)),
    ...(afterSignIn && {
      finish: (visit: Visit, params: Params) => perform(visit, params, { values: new URLSearchParams() }),
    }),
  })
}

/** Renders the page of a form with the input, and changes nothing. */
export const preview =
  (show: (visit: Visit, params: Params, sent: Sent) => Page | Promise<Page>, read = readTyped): Load =>
  async (visit, params) => {
    const caller = signedIn(visit)
    const { values } = await read(visit, caller)
    if (!isOwnForm(values, caller)) throw badRequest(wordsFor(visit).errors.damaged)
    return show(visit, params, { values, problem: { text: '' }, isPreview: true })
  }

/** Other input does not fix a 401, a 403 or a bug. */
const isFixableByInput = ({ status }: AppError) => status !== 401 && status !== 403 && status !== 500

type Labels = ReadonlyMap<string, string | null | undefined>

/** The error for people, with its form field. */
export function problemOf(error: AppError, labels: Labels, words: Words): Sent['problem'] {
  const { about } = error
  const path = about?.field ?? ''
  const field = labels.has(path) ? path : (path.split('.')[0] ?? '')
  if (about === undefined || !labels.has(field)) return { text: spoken(error, words) }
  const label = labels.get(field)
  // Null in the API is an empty field for people.
  const english = about.reason.replace(/, or null$/, '')
  const mayBeEmpty = english !== about.reason
  const { errors } = words
  // Without a translation a general sentence (`unfit`); English has none and keeps the original.
  const reason = `${translated(english, words) ?? errors.unfit ?? english}${mayBeEmpty ? errors.orEmpty : ''}`
  return label ? { text: `${label} ${reason}`, field } : { text: words.errors.damaged }
}
