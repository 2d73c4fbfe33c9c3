import { Elysia } from 'elysia'
import { AppError, notFound } from '@/core/errors'
import { refusals } from '@/core/refusals'
import { lettersBetween, listed } from '@/core/text'
import { admit, takeBudget, withBudget } from './admission'
import { PREFLIGHT_HEADERS } from './headers'
import { refuse } from './refuse'
import { respond } from './respond'
import { fits, isName, type Known, routesBeside, segmentsOf, sharedBy, traitsNear } from './routes-near'
import { beginVisit, pathOf, type Visit } from './visit'

const SHOWN_MAX = 4
/** Longer addresses than any of ours are not compared. */
const SEGMENTS_MAX = 10

/** The 404 of an unknown API address, with nearby routes. It names only public route patterns, nothing of the request. */
function noSuchEndpoint(method: string, path: string): AppError {
  const asked = segmentsOf(path)
  if (asked[0] !== 'v1' || asked.length > SEGMENTS_MAX) return notFound('Page')
  const routes = routesBeside(path)
  const here = routes.filter(({ segments }) => fits(segments, asked))
  if (here.length > 0) return wrongMethod(method, here)
  const near = closest(routes, asked)
  const hint =
    near.length > 0 ? `did you mean ${listed(near.map(shown))}?` : 'GET /openapi.json lists what there is'
  return new AppError('not_found', refusals.nothingHere(hint))
}

function wrongMethod(method: string, here: Known[]): AppError {
  const methods = [...new Set(here.map((one) => one.method))]
  const wrong = /^[A-Z]{3,7}$/.test(method) ? method : 'this method'
  const sentence = `There is no ${wrong} at this address: it takes ${listed(methods)}`
  return new AppError('not_found', sentence, { allow: methods.join(', ') })
}

/** Routes with a small edit distance, or else the same beginning. */
function closest(routes: readonly Known[], asked: string[]): Known[] {
  const slips = routes
    .map((route) => ({ route, away: distance(route.segments, asked) }))
    .filter(({ away }) => away <= 2)
    .sort((one, other) => one.away - other.away)
  if (slips.length > 0)
    return slips
      .filter(({ away }) => away === slips[0]?.away)
      .map(({ route }) => route)
      .slice(0, SHOWN_MAX)
  const most = Math.max(...routes.map(({ segments }) => sharedBy(segments, asked)))
  if (most < 2) return []
  return routes.filter(({ segments }) => sharedBy(segments, asked) === most).slice(0, SHOWN_MAX)
}

/** The edit distance of an address to a pattern; parameters match anything. */
function distance(pattern: string[], asked: string[]): number {
  if (pattern.length !== asked.length || pattern.includes('*')) return Number.POSITIVE_INFINITY
  const away = (segment: string, at: number) => lettersBetween(segment, asked[at] as string)
  return pattern.reduce((sum, segment, at) => sum + (isName(segment) ? 0 : away(segment, at)), 0)
}

const shown = ({ method, path }: Known) => `${method} ${path.replace(/:(\w+)/g, '{$1}')}`

/** Handles requests without a route and errors of the framework itself. Routes handle their own errors. */
export const unmatched = new Elysia({ name: 'http.unmatched' }).onError(
  { as: 'global' },
  ({ request, error, code }) => {
    const visit = beginVisit(request, '-', traitsNear(pathOf(request.url)))
    return code === 'NOT_FOUND' ? answerUnknown(visit) : withBudget(visit, () => refuse(visit, error))
  },
)

/** Answers a CORS preflight; anything else without a route is a 404. */
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
