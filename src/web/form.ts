import type { Static } from '@sinclair/typebox'
import type { AnyAction, ResultOf } from '@/core/action'
import type { AppError, ErrorCode } from '@/core/errors'
import { invoke } from '@/http/invoke'
import { pathNames } from '@/http/path-names'
import type { Protocol } from '@/http/protocol'
import { refusalFor } from '@/http/refuse'
import type { Visit } from '@/http/visit'
import { formInput } from './form-input'
import { readOwnForm } from './form-token'
import type { Page } from './layout'
import type { Link } from './message'
import { page, signedIn, toSignIn } from './page'
import { redirect } from './redirect'

type Input = Record<string, unknown>
type Params = Record<string, string>

/** A form that came back to its page: what was typed, and what is wrong with it. */
export type Sent = {
  values: URLSearchParams
  /** A sentence without its full stop, and the field that it is about where that is known. */
  problem: { text: string; field?: string }
}

type Options<A extends AnyAction> = {
  /** Those fields of the action that the form has, as people read them; nothing for one that is hidden. */
  fields: { readonly [Name in keyof Static<A['input']>]?: string | null }
  /** The page that holds the form, at the address to which the form is sent. It is shown again with what is wrong. */
  page: (visit: Visit, params: Params, sent: Sent) => Page | Promise<Page>
  /** The page of ours to go on to. There is no result where it was so already. */
  done: (input: Input, result: ResultOf<A> | undefined) => string
  /** Refusals which say that what was asked for was so already. */
  soAlready?: readonly ErrorCode[]
  back?: Link
  /** The words of a form that others may find in the API's description. */
  described?: Protocol
}

/**
 * Binds a form of a signed-in person to an action: its fields become the action's input, and in the end there is another
 * page, or the same one once more with what was typed and what is wrong.
 */
export function form<A extends AnyAction>(
  action: A,
  { fields, page: show, done, soAlready = [], back, described }: Options<A>,
) {
  const labels = new Map(Object.entries<string | null | undefined>(fields))
  const readNames = pathNames(action)

  const again = async (error: AppError, showWith: (problem: Sent['problem']) => Page | Promise<Page>) => {
    if (!isMendable(error)) throw error
    const { headers, ...rest } = await showWith(problemOf(error, labels))
    return { ...rest, status: error.status, headers: { ...headers, ...error.headers } }
  }

  return page(
    async (visit, params) => {
      if (visit.visitor === 'anonymous') return toSignIn(visit)
      const values = await readOwnForm(visit.request, signedIn(visit))
      const input: Input = {}
      let result: ResultOf<A> | undefined
      try {
        result = await invoke(visit, action, () =>
          Object.assign(input, formInput(action.input, [...labels.keys()], values), readNames(params)),
        )
      } catch (thrown) {
        const error = refusalFor(visit, thrown)
        if (!soAlready.includes(error.appCode))
          return again(error, (problem) => show(visit, params, { values, problem }))
      }
      return redirect(visit, 303, done(input, result))
    },
    { back, described },
  )
}

/** A 401, a 403 and a fault of ours are not mended by another answer. */
const isMendable = ({ status }: AppError) => status !== 401 && status !== 403 && status !== 500

function problemOf({ message, about }: AppError, labels: Map<string, string | null | undefined>) {
  const field = about?.field.split('.')[0] ?? ''
  if (about === undefined || !labels.has(field)) return { text: message }
  const label = labels.get(field)
  // What is null to a program is a field that a person leaves empty.
  const reason = about.reason.replace(/, or null$/, ', or empty')
  return label ? { text: `${label} ${reason}`, field } : { text: DAMAGED }
}

/** For what nobody typed. */
const DAMAGED = 'This page was not complete: load it again and repeat it'
