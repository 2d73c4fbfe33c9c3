import { demandSameSite } from '@/auth/csrf'
import { config } from '@/config/config'
import type { Action } from '@/core/action'
import { type Caller, demand, type Visitor } from '@/core/caller'
import { type ErrorCode, isAppError } from '@/core/errors'
import { Nothing } from '@/core/page'
import { guess } from './guesses'
import { handle } from './handle'
import { runOnce } from './idempotency'
import { readInput } from './input'
import { pathNames } from './path-names'
import { register } from './registry'
import { renderer } from './render'
import { respond, respondJson, respondJsonTagged, type Tagged, tagged } from './respond'
import type { Visit } from './visit'

type Options = {
  /** The status of success; 200 unless something is created (201) or nothing is said (204). */
  status?: number
  /** Another status for a result that says that it was so already. */
  also?: { status: number; when: (result: Json) => boolean }
  /** The path holds a code that somebody may be guessing. */
  guesses?: boolean
}

// biome-ignore lint/suspicious/noExplicitAny: a result is whatever its action says; the predicate knows which.
type Json = any

const NO_STORE = { 'cache-control': 'no-store' }

/**
 * Binds an action to a path and a verb. From the action come the 401 and 403, the reading of the input, the
 * envelope of the answer and the documentation; a route adds nothing but its status.
 */
export function serve(
  action: Action,
  { status = action.output === Nothing ? 204 : 200, also, guesses = false }: Options = {},
) {
  const answer = answerer(action, status, also)
  const readNames = pathNames(action)
  const isAudited = action.access === 'admin'

  const act = (visit: Visit, caller: Caller | null, input: Record<string, unknown>) => {
    const run = (visitor: Visitor) => action.run(visitor, input)
    const once = caller && visit.request.method === 'POST' ? runOnce(visit.request, caller, input) : undefined
    const visitor = caller && (once || isAudited) ? { ...caller, once, requestId: visit.id } : visit.visitor
    const result = guesses ? guess(visit, () => run(visitor)) : run(visitor)
    if (!(result instanceof Promise)) return answer(visit, result)
    return (config.mode === 'test' ? declared(action, result, once !== undefined) : result).then((value) =>
      answer(visit, value),
    )
  }

  const handler = handle((visit, params) => {
    const caller = demand(visit.visitor, action.access)
    if (caller?.credential.kind === 'session') demandSameSite(visit.request)
    const input = readInput(action, visit.request, readNames(params))
    return input instanceof Promise
      ? input.then((read) => act(visit, caller, read))
      : act(visit, caller, input)
  })

  return [handler, { detail: register(action, status, also?.status) }] as const
}

function answerer(action: Action, status: number, also: Options['also']) {
  if (status === 204) return (visit: Visit) => respond(visit, 204, null)
  const render = renderer(action.output)
  if (action.stable) {
    const bytes = new WeakMap<object, Tagged>()
    return (visit: Visit, result: unknown) => {
      const value = result as object
      let kept = bytes.get(value)
      if (kept === undefined) {
        kept = tagged(JSON.stringify(render(value)))
        bytes.set(value, kept)
      }
      return respondJsonTagged(visit, kept)
    }
  }
  const more = action.secret ? NO_STORE : undefined
  return (visit: Visit, value: unknown) =>
    respondJson(visit, also?.when(value) ? also.status : status, render(value), more)
}

const ALWAYS = new Set<ErrorCode>([
  'validation_error',
  'bad_request',
  'unauthorized',
  'forbidden',
  'insufficient_scope',
  'rate_limited',
  'unavailable',
])

/** Tests fail on a refusal that the documentation does not know of. */
const declared = <T>(action: Action, result: Promise<T>, hasKey: boolean): Promise<T> =>
  result.catch((error) => {
    if (
      isAppError(error) &&
      !ALWAYS.has(error.appCode) &&
      !action.errors?.includes(error.appCode) &&
      // A key that was used before is a conflict of its own, whatever the action.
      !(hasKey && error.appCode === 'conflict')
    )
      throw new Error(`${action.name} does not declare ${error.appCode}`)
    throw error
  })
