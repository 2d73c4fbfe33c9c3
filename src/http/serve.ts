import type { Action, AnyAction, ResultOf } from '@/core/action'
import { perObject } from '@/core/memo'
import { Nothing } from '@/core/page'
import { handle, type Params, type Refuse } from './handle'
import { keyOfHeader } from './idempotency'
import { keepReader, preconditionOf } from './if-match'
import { ignoredIn, readInput, readQuery } from './input'
import { invoke } from './invoke'
import { pathNames, restName } from './path-names'
import { describeProtocol, type Protocol } from './protocol'
import { envelope, register } from './registry'
import { respond, respondJson, respondJsonTagged, tagged } from './respond'
import { API, type Traits } from './route-traits'
import type { Visit } from './visit'

type Options = {
  /** Default 200; 201 for a created object, 204 for no result. */
  status?: number
  /** Another status for a result that existed already. */
  also?: { status: number; when: (result: AnyResult) => boolean }
  /** The input field for the rest of the path, if the route ends in `*`. */
  rest?: string
}

// biome-ignore lint/suspicious/noExplicitAny: each action has its own result type, which the predicate knows.
type AnyResult = any

const NO_STORE = { 'cache-control': 'no-store' }
const TERMS = { keyOf: keyOfHeader }

/**
 * Binds an action to a path and verb of the API. The action provides access, input, limits, projection and documentation; the
 * route adds only `Options`.
 */
export function serve(
  action: Action,
  { status = action.output === Nothing ? 204 : 200, also, rest }: Options = {},
) {
  const answer = answerer(action, status, also)
  const readNames = namesReader(action, rest)

  const handler = handle((visit, params) => {
    const condition = preconditionOf(visit, params)
    const terms = condition === undefined ? TERMS : { ...TERMS, condition }
    const read = () => {
      const names = readNames(params)
      visit.ignored = ignoredIn(action, visit.request, names)
      return readInput(action, visit.request, names)
    }
    const result = invoke(visit, action, read, terms)
    return result instanceof Promise ? result.then((value) => answer(visit, value)) : answer(visit, result)
  }, API)
  keepReader(handler, action, readNames)

  return [handler, { detail: register(action, status, also?.status, rest) }] as const
}

type DocumentOptions<A extends AnyAction> = Omit<Protocol, 'name' | 'summary' | 'description'> & {
  traits: Traits
  /** Reads the input; `names` are those of the path. Default: path and query. */
  read?: (visit: Visit, names: Params) => Record<string, unknown>
  send: (visit: Visit, result: ResultOf<A>) => Response | Promise<Response>
  refused?: Refuse
}

/** Route options that hide a second path of the same document from the OpenAPI description. */
export const HIDDEN = { detail: { hide: true } } as const

/** Binds an action whose answer is not the API's JSON: a page, picture, feed or file. */
export function serveDocument<A extends AnyAction>(action: A, options: DocumentOptions<A>) {
  const { traits, read = queryReader(action), send, refused, ...described } = options
  const readNames = namesReader(action, described.rest)
  const handler = handle(
    (visit, params) => {
      const result = invoke(visit, action, () => read(visit, readNames(params)))
      return result instanceof Promise ? result.then((value) => send(visit, value)) : send(visit, result)
    },
    traits,
    refused,
  )
  const { name, summary, description } = action
  return [
    handler,
    { detail: describeProtocol({ name, summary, description, ...described }, traits) },
  ] as const
}

const queryReader =
  ({ input }: Action) =>
  ({ request }: Visit, names: Params) => ({ ...readQuery(input.properties, request.url), ...names })

const namesReader = (action: Action, rest: string | undefined) =>
  rest === undefined ? pathNames(action) : restName(action, rest)

function answerer(action: Action, status: number, also: Options['also']) {
  if (status === 204) return (visit: Visit) => respond(visit, 204, null)
  const inEnvelope = envelope(action.output)
  // Always 200 or 304: `status` and `also` do not apply to stable results.
  if (action.stable) {
    const bytesOf = perObject((result: object) => tagged(JSON.stringify(inEnvelope(result))))
    return (visit: Visit, result: unknown) => respondJsonTagged(visit, bytesOf(result as object))
  }
  const more = action.secret ? NO_STORE : undefined
  return (visit: Visit, value: unknown) =>
    respondJson(visit, also?.when(value) ? also.status : status, inEnvelope(value), more)
}
