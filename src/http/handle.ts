import { tracing } from '@/core/trace'
import { admit, withBudget } from './admission'
import { borrowFor } from './borrower'
import { refuse } from './refuse'
import type { Traits } from './route-traits'
import { beginVisit, type Visit } from './visit'

export type Params = Record<string, string>
const NO_PARAMS: Params = {}

type Work = (visit: Visit, params: Params) => Response | Promise<Response>
export type Refuse = (visit: Visit, thrown: unknown) => Response | Promise<Response>
type Context = { request: Request; route: string; params?: Params }

/**
 * The path of a request through a route: admission, work, answer or error. Stays synchronous if nothing is awaited: one more
 * promise per request would cost a tenth of the whole.
 */
export function handle(work: Work, traits: Traits, refused: Refuse = refuse) {
  const go = (visit: Visit, params: Params): Response | Promise<Response> => {
    try {
      const entered = admit(visit)
      const answer =
        entered === undefined
          ? borrowFor(visit, work, params)
          : entered.then(() => borrowFor(visit, work, params))
      return answer instanceof Promise ? refusing(visit, answer, refused) : answer
    } catch (error) {
      return refusedAtAdmission(visit, error, refused)
    }
  }
  const handler = ({ request, route, params = NO_PARAMS }: Context) => {
    const visit = beginVisit(request, route, traits)
    // Elysia inspects this source to decide whether to await: no function in it may return what it calls.
    let answer: Response | Promise<Response>
    if (visit.trace === undefined) answer = go(visit, params)
    else answer = tracing.run(visit.trace, go, visit, params)
    return answer
  }
  declared.set(handler, traits)
  return handler
}

const refusing = (visit: Visit, answer: Promise<Response>, refused: Refuse) =>
  answer.catch((error) => refusedAtAdmission(visit, error, refused))

const refusedAtAdmission = (visit: Visit, error: unknown, refused: Refuse) =>
  withBudget(visit, () => refused(visit, error))

const declared = new WeakMap<object, Traits>()

/** The traits that the route's binder declared. */
export const traitsOf = (handler: unknown): Traits | undefined => declared.get(handler as object)
