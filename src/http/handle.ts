import { tracing } from '@/core/trace'
import { admit, withBudget } from './admission'
import { borrowFor } from './borrower'
import { refuse } from './refuse'
import type { Traits } from './route-traits'
import { beginVisit, type Visit } from './visit'

type Params = Record<string, string>
const NO_PARAMS: Params = {}

type Work = (visit: Visit, params: Params) => Response | Promise<Response>
/** Answers for what was thrown on the way. */
type Refuse = (visit: Visit, thrown: unknown) => Response | Promise<Response>
type Context = { request: Request; route: string; params?: Params }

/**
 * The way of a request through a route: in at the door, on to the work, and out with an answer or a refusal.
 * It stays synchronous while nothing has to be waited for: a promise more for every request would cost a tenth
 * of the whole.
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
      return turnedAway(visit, error, refused)
    }
  }
  const handler = ({ request, route, params = NO_PARAMS }: Context) => {
    const visit = beginVisit(request, route, traits)
    // The framework reads this source to learn whether to await: no function in it may return what it calls.
    let answer: Response | Promise<Response>
    if (visit.trace === undefined) answer = go(visit, params)
    else answer = tracing.run(visit.trace, go, visit, params)
    return answer
  }
  declared.set(handler, traits)
  return handler
}

const refusing = (visit: Visit, answer: Promise<Response>, refused: Refuse) =>
  answer.catch((error) => turnedAway(visit, error, refused))

const turnedAway = (visit: Visit, error: unknown, refused: Refuse) =>
  withBudget(visit, () => refused(visit, error))

const declared = new WeakMap<object, Traits>()

/** What the binder of a route declared. */
export const traitsOf = (handler: unknown): Traits | undefined => declared.get(handler as object)
