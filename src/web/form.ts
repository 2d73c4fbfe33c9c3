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
import { type KeptField, keptForm, unsentForm } from './kept-form'
import { wordsFor } from './language'
import { addressOf, type Page } from './layout'
import { loginPath } from './login'
import { ownPath } from './own-path'
import { type Answer, type Load, type PageOptions, type Params, page, signedIn, toSignIn } from './page'
import { redirect } from './redirect'

type Input = Record<string, unknown>

/** A form that came back to its page: what was typed, and what is wrong with it. */
export type Sent = {
  values: URLSearchParams
  /** A sentence without its full stop, and the field that it is about where that is known. */
  problem: { text: string; field?: string }
  /** Nothing is wrong: the page shows what was typed once more, with a preview. */
  isPreview?: boolean
}

/** What was typed, and why a file beside it was not taken. */
export type Read = { values: URLSearchParams; error?: unknown }
type ReadForm = (visit: Visit, caller: Caller | null) => Promise<Read>

const readTyped: ReadForm = async ({ request }) => ({ values: await readFormPairs(request) })

type Fields<A extends AnyAction> = {
  readonly [Name in keyof Static<A['input']> | `${string}.${string}`]?: string | null
}

type Options<A extends AnyAction> = Pick<PageOptions, 'back' | 'described'> & {
  /**
   * Those fields of the action that the form has, as people read them; nothing for one that is hidden. A field of an object
   * is named `venue.city`.
   */
  fields: Fields<A> | ((words: Words) => Fields<A>)
  /** The page that holds the form, at the address to which the form is sent. It is shown again with what is wrong. */
  page: (visit: Visit, params: Params, sent: Sent) => Page | Promise<Page>
  /**
   * The page of ours to go on to. There is no result where it was so already. A page is shown in answer to the form itself:
   * for a secret, which can be read this once.
   */
  done: (
    input: Input,
    result: ResultOf<A> | undefined,
    visit: Visit,
    params: Params,
  ) => string | Page | Promise<string | Page>
  /** Fields that are never said again, not even to whoever typed them. */
  secrets?: readonly (keyof Static<A['input']>)[]
  /** Reads a form that may hold a file, which the action gets by its address. */
  read?: ReadForm
  /** Fills in what was left empty, or throws where a person should look again before it is done. */
  prepare?: (input: Input, values: URLSearchParams) => void
  /** Refusals which say that what was asked for was so already. */
  soAlready?: readonly ErrorCode[]
  /**
   * Strangers may press it: they sign in, and then it is done. The place of the button on the page, such as `#seat`. Only for a
   * form without fields, on a page whose `finishes` names it.
   */
  afterSignIn?: `#${string}`
}

/**
 * Binds a form of a signed-in person to an action: its fields become the action's input, and in the end there is another
 * page, or the same one once more with what was typed and what is wrong.
 */
export const form = <A extends AnyAction>(action: A, options: Options<A>) =>
  page(deed(action, options), options)

/** Binds the forms of one page. Each is sent to the address of the page with its own name as `?do=`. */
export const forms = (deeds: Readonly<Record<string, Load>>, options: PageOptions = {}) =>
  page(
    Object.assign(
      ((visit, params) => {
        const load = askedFor(visit, deeds)
        if (load === undefined) throw badRequest(wordsFor(visit).errors.damaged)
        return load(visit, params)
      }) satisfies Load,
      { held: (visit: Visit) => askedFor(visit, deeds)?.held?.(visit) },
    ),
    options,
  )

function askedFor(visit: Visit, deeds: Readonly<Record<string, Load>>): Load | undefined {
  const name = new URLSearchParams(queryOf(visit.request.url)).get('do') ?? ''
  return Object.hasOwn(deeds, name) ? deeds[name] : undefined
}

/** What a form does: one of several on a page that `forms` binds. */
export function deed<A extends AnyAction>(
  action: A,
  {
    fields,
    page: show,
    done,
    read = readTyped,
    prepare,
    soAlready = [],
    secrets = [],
    afterSignIn,
  }: Options<A>,
): Load {
  const labelsIn = (words: Words): Labels =>
    new Map(Object.entries(typeof fields === 'function' ? fields(words) : fields))
  const names = [...labelsIn(wordsIn(LANGUAGES[0])).keys()]
  const readNames = pathNames(action)

  const again = async (
    visit: Visit,
    error: AppError,
    showWith: (problem: Sent['problem']) => Page | Promise<Page>,
  ) => {
    if (!isMendable(error)) throw error
    const words = wordsFor(visit)
    const { headers, ...rest } = await showWith(problemOf(error, labelsIn(words), words))
    return { ...rest, status: error.status, headers: { ...headers, ...error.headers } }
  }

  const keptFields = (words: Words): KeptField[] =>
    [...labelsIn(words)]
      .filter(([name]) => !(secrets as readonly string[]).includes(name))
      .flatMap(([name, label = null]) => [
        { name, label },
        { name: momentName(name), label: null },
      ])

  const run: Load = async (visit, params) => {
    const isStranger = visit.visitor === 'anonymous'
    // A program's body is no form of ours, and what another site made a stranger send is none either.
    const isOurs = (read === readTyped ? isForm : isSentByPage)(visit.request)
    if (isStranger && !(isOurs && isSameSite(visit.request))) return toSignIn(visit)
    if (isStranger && afterSignIn !== undefined)
      return redirect(visit, 303, loginPath(ownPath(addressOf(visit) + afterSignIn)), [intentCookie(visit)])
    const caller = isStranger ? null : signedIn(visit)
    const sent = await read(visit, caller)
    if (caller === null || !isOwnForm(sent.values, caller))
      return keptForm(visit, caller, sent.values, keptFields(wordsFor(visit)))
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
      if (!soAlready.includes(error.appCode))
        return again(visit, error, (problem) => show(visit, params, { values, problem })).catch((worse) => {
          const shown = refusalFor(visit, worse)
          if (shown.status !== 503) throw shown
          return unsentForm(visit, shown, values, keptFields(wordsFor(visit)))
        })
    }
    const next = await done(input, result, visit, params)
    return typeof next === 'string' ? redirect(visit, 303, next) : next
  }

  return Object.assign(run, {
    held: (visit: Visit) => keptFields(wordsFor(visit)),
    ...(afterSignIn && {
      finish: (visit: Visit, params: Params) => perform(visit, params, { values: new URLSearchParams() }),
    }),
  })
}

/** Shows the page of a form again with what was typed, and changes nothing. */
export const preview =
  (show: (visit: Visit, params: Params, sent: Sent) => Page | Promise<Page>, read = readTyped): Load =>
  async (visit, params) => {
    const caller = signedIn(visit)
    const { values } = await read(visit, caller)
    if (!isOwnForm(values, caller)) throw badRequest(wordsFor(visit).errors.damaged)
    return show(visit, params, { values, problem: { text: '' }, isPreview: true })
  }

/** A 401, a 403 and a fault of ours are not mended by another answer. */
const isMendable = ({ status }: AppError) => status !== 401 && status !== 403 && status !== 500

type Labels = ReadonlyMap<string, string | null | undefined>

/** What is wrong, in words for people, and with which of the form's fields. */
export function problemOf(error: AppError, labels: Labels, words: Words): Sent['problem'] {
  const { about } = error
  const path = about?.field ?? ''
  const field = labels.has(path) ? path : (path.split('.')[0] ?? '')
  if (about === undefined || !labels.has(field)) return { text: spoken(error, words) }
  const label = labels.get(field)
  // What is null to a program is a field that a person leaves empty.
  const english = about.reason.replace(/, or null$/, '')
  const mayBeEmpty = english !== about.reason
  const { errors } = words
  const reason = `${translated(english, errors) ?? errors.unfit ?? english}${mayBeEmpty ? errors.orEmpty : ''}`
  return label ? { text: `${label} ${reason}`, field } : { text: words.errors.damaged }
}
