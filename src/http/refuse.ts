import { AppError, isAppError } from '@/core/errors'
import { perObject } from '@/core/per-object'
import { refusalOf } from '@/db/conflicts'
import { log } from '@/log'
import { JSON_HEADERS, respond } from './respond'
import type { Visit } from './visit'

/** Turns whatever was thrown into `{error, code}`. What is not a refusal of ours says nothing but its id. */
export function refuse(visit: Visit, thrown: unknown): Response {
  const error = isAppError(thrown) ? thrown : (refusalOf(thrown) ?? fault(visit, thrown))
  return respond(visit, error.status, bodyOf(error), JSON_HEADERS, error.headers)
}

/** Refusals that are made once, such as the 401s, keep their bytes. */
const bodyOf = perObject((error: AppError) => JSON.stringify({ error: error.message, code: error.appCode }))

function fault(visit: Visit, thrown: unknown): AppError {
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
