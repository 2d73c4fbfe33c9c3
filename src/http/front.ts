import { Elysia } from 'elysia'
import { identify } from '@/auth/identify'
import { AppError, notFound, rateLimited } from '@/core/errors'
import { refusalOf } from '@/db/conflicts'
import { log } from '@/log'
import { clientAddress } from './address'
import { isOpenToOrigins, PREFLIGHT_HEADERS } from './cors'
import { demandKnownHost } from './hosts'
import { charge, hourlyBudget } from './limits/hourly'
import { respond, respondJson } from './respond'
import { beginVisit, type Visit } from './visit'

/** What every request passes on its way in, in this order: host, preflight, identity, budget. */
export const front = new Elysia({ name: 'http.front' })
  .decorate('visit', null as unknown as Visit)
  .onRequest(async (context) => {
    const { request } = context
    const visit = beginVisit(request)
    context.visit = visit
    demandKnownHost(visit)
    if (request.method === 'OPTIONS' && isOpenToOrigins(visit.path)) return answerPreflight(visit)
    if (!showsBudget(visit.path)) return
    const visitor = identify(request.headers)
    visit.visitor = visitor instanceof Promise ? await visitor : visitor
    await takeBudget(visit, isCounted(visit.path) ? 1 : 0)
  })
  .onError({ as: 'global' }, ({ error, code, visit, request }) =>
    refuse(visit ?? beginVisit(request), error, code),
  )

/** Turns whatever was thrown into `{error, code}`. What is not a refusal of ours says nothing but its id. */
export function refuse(visit: Visit, thrown: unknown, code: unknown): Response {
  const error = refusal(visit, thrown, code)
  return respondJson(visit, error.status, { error: error.message, code: error.appCode }, error.headers)
}

function refusal(visit: Visit, thrown: unknown, code: unknown): AppError {
  if (code === 'NOT_FOUND') return notFound('Page')
  const known = refusalOf(thrown)
  if (known) return known
  log.error('request failed', { id: visit.id, route: visit.route, ...described(thrown) })
  return new AppError(
    'internal_error',
    `Something went wrong on our side; please mention ${visit.id} when you report it`,
  )
}

/** Name and place of a fault, without its message: that may hold a statement and what a person typed. */
function described(thrown: unknown) {
  if (!(thrown instanceof Error)) return { fault: typeof thrown }
  const places = (thrown.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line))
  const sqlState = (thrown.cause as { code?: unknown } | undefined)?.code
  return {
    fault: thrown.name,
    ...(typeof sqlState === 'string' && { sqlState }),
    ...(!thrown.message.startsWith('Failed query') && { reason: thrown.message.slice(0, 300) }),
    stack: places
      .slice(0, 6)
      .map((line) => line.trim())
      .join(' | '),
  }
}

async function takeBudget(visit: Visit, cost: number) {
  const verdict = charge(
    hourlyBudget(visit.visitor, () => clientAddress(visit.request)),
    cost,
  )
  visit.budget = verdict instanceof Promise ? await verdict : verdict
  if (!visit.budget.allowed)
    throw rateLimited(Math.max(1, Math.ceil((visit.budget.resetAtMs - Date.now()) / 1000)))
}

async function answerPreflight(visit: Visit): Promise<Response> {
  if (showsBudget(visit.path)) await takeBudget(visit, 0)
  return respond(visit, 204, null, PREFLIGHT_HEADERS)
}

const showsBudget = (path: string) =>
  path.startsWith('/v1/') ||
  path.startsWith('/mcp') ||
  path.startsWith('/oauth/') ||
  path.startsWith('/pass/')

const isCounted = (path: string) =>
  (path.startsWith('/v1/') && !path.startsWith('/v1/uploads/file/')) || path.startsWith('/mcp')
