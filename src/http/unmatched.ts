import { Elysia } from 'elysia'
import { admit, takeBudget, withBudget } from './admission'
import { PREFLIGHT_HEADERS } from './cors'
import { refuse } from './refuse'
import { respond } from './respond'
import { traitsNear } from './routes-near'
import { noSuchEndpoint } from './suggestions'
import { beginVisit, pathOf, type Visit } from './visit'

/** Answers where no route matches, and where the framework itself gives up. Routes look after their own refusals. */
export const unmatched = new Elysia({ name: 'http.unmatched' }).onError(
  { as: 'global' },
  ({ request, error, code }) => {
    const visit = beginVisit(request, '-', traitsNear(pathOf(request.url)))
    return code === 'NOT_FOUND' ? answerUnknown(visit) : withBudget(visit, () => refuse(visit, error))
  },
)

/** A CORS preflight is answered; anything else without a route is a 404. */
async function answerUnknown(visit: Visit): Promise<Response> {
  try {
    if (visit.request.method === 'OPTIONS' && visit.traits.isOpen) {
      if (visit.traits.showsBudget) await takeBudget(visit, 0)
      return respond(visit, 204, null, PREFLIGHT_HEADERS)
    }
    await admit(visit)
    throw noSuchEndpoint(visit.request.method, pathOf(visit.request.url))
  } catch (error) {
    return withBudget(visit, () => refuse(visit, error))
  }
}
