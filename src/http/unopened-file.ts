import { AppError, notFound } from '@/core/errors'
import { warnSparingly } from '@/core/log'
import { reasonOf } from '@/core/reason'
import { refusals } from '@/core/refusals'
import { headerSet } from './headers'
import { refusalText } from './refuse'
import { JSON_TYPE } from './respond'

const HEADERS = headerSet({ 'content-type': JSON_TYPE, 'cache-control': 'no-store' })

const GONE = notFound('File')
const UNREACHED = new AppError('unavailable', refusals.filesAway, {
  'retry-after': '60',
})

/**
 * Bun opens a file after the handler returned its response, and reports a failure only here: another process may have deleted it
 * in between. Nothing was sent by then.
 */
export function refuseUnopened(thrown: Error & { code?: string }): Response {
  if (thrown.code !== 'ENOENT') warnSparingly('a file cannot be opened', reasonOf(thrown))
  const error = thrown.code === 'ENOENT' ? GONE : UNREACHED
  const answer = new Response(refusalText(error), { status: error.status, headers: HEADERS.open.headers })
  answer.headers.set('x-request-id', crypto.randomUUID())
  for (const name in error.headers) answer.headers.set(name, error.headers[name] as string)
  return answer
}
