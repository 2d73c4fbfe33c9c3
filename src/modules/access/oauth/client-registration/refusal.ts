import { AppError, type ErrorCode, isAppError } from '@/core/errors'
import { refusalOf } from '@/db/conflicts'

/** A redirect URI that cannot be registered. */
export class BadRedirect extends AppError {
  constructor(message: string) {
    super('validation_error', message)
  }
}

/** Our refusals in the words of RFC 7591. For the last two it has none, so they borrow one of RFC 6749. */
const NAMES: Partial<Record<ErrorCode, string>> = {
  validation_error: 'invalid_client_metadata',
  bad_request: 'invalid_client_metadata',
  payload_too_large: 'invalid_client_metadata',
  rate_limited: 'temporarily_unavailable',
  unavailable: 'temporarily_unavailable',
}

/** The refusal as RFC 7591 writes it. A fault of ours is no refusal and goes on to the log. */
export function inItsWords(thrown: unknown) {
  const refusal = isAppError(thrown) ? thrown : refusalOf(thrown)
  const name = refusal && NAMES[refusal.appCode]
  if (!name) return undefined
  const { status, headers, message } = refusal
  const error = refusal instanceof BadRedirect ? 'invalid_redirect_uri' : name
  return { status, headers, body: { error, error_description: message } }
}
