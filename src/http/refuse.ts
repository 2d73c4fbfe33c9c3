import { AppError, badRequest, ERRORS, type ErrorCode, isAppError } from '@/core/errors'
import { log, warnSparingly } from '@/core/log'
import { perObject } from '@/core/memo'
import { counters } from '@/core/metrics'
import { reasonOf } from '@/core/reason'
import { refusals } from '@/core/refusals'
import { refusalOf } from '@/db/conflicts'
import { mayNavigate, prefersHtml } from './accept'
import { isSentByPage } from './form-body'
import { JSON_HEADERS, respond } from './respond'
import type { Visit } from './visit'

type Show = (visit: Visit, error: AppError) => Response

let show: Show | undefined

/** `web/` imports `http/`, so `app.ts` injects the renderer of error pages. */
export const useErrorPages = (pages: Show) => {
  show = pages
}

/**
 * Turns anything thrown into `{error, code}`, or into a page for a browser that navigates or posts a form on a route for people.
 * Unexpected errors reveal only the request id.
 */
export function refuse(visit: Visit, thrown: unknown): Response {
  const error = refusalFor(visit, thrown)
  const { request, traits } = visit
  if (!traits.forPeople || !(mayNavigate(request) || isSentByPage(request))) return refuseInJson(visit, error)
  const answer = show && prefersHtml(request) ? show(visit, error) : refuseInJson(visit, error)
  answer.headers.append('vary', 'Accept')
  return answer
}

const refuseInJson = (visit: Visit, error: AppError) =>
  respond(visit, error.status, refusalText(error), JSON_HEADERS, error.headers)

const refused = counters(
  'folkmoot_refusals_total',
  'Refusals by code, through every door.',
  'code',
  Object.keys(ERRORS) as ErrorCode[],
)

/** Maps anything thrown to an AppError; logs unexpected ones. */
export function refusalFor(visit: Visit, thrown: unknown): AppError {
  const error = isAppError(thrown)
    ? thrown
    : (refusalOf(thrown) ?? (isHangUp(visit, thrown) ? HUNG_UP : fault(visit, thrown)))
  refused[error.appCode].value += 1
  if (error.status === 503) warnSparingly('requests are refused for now', reasonOf(thrown))
  return error
}

const HUNG_UP = badRequest(refusals.interrupted)

/** The client closed the connection while it sent the body: not a failure of the server. */
const isHangUp = ({ request }: Visit, thrown: unknown) =>
  (thrown as Error | undefined)?.name === 'AbortError' && request.signal.aborted

/** Cached for shared errors such as the 401s. */
export const refusalText = perObject((error: AppError) =>
  JSON.stringify({ error: error.message, code: error.appCode }),
)

function fault(visit: Visit, thrown: unknown): AppError {
  log.error('request failed', {
    id: visit.id,
    trace: visit.trace?.id,
    route: visit.route,
    ...described(thrown),
  })
  return new AppError('internal_error', refusals.ourFault(visit.id))
}

const described = (thrown: unknown) => ({ ...reasonOf(thrown), stack: stackOf(thrown) })

const stackOf = (thrown: unknown) =>
  thrown instanceof Error
    ? (thrown.stack ?? '')
        .split('\n')
        .filter((line) => /^\s+at /.test(line))
        .slice(0, 6)
        .map((line) => line.trim())
        .join(' | ')
    : undefined
