import { AppError, type ErrorCode, isAppError } from '@/core/errors'
import { refusalOf } from '@/db/conflicts'

export class BadRedirect extends AppError {
  constructor(message: string) {
    super('validation_error', message)
  }
}

/** Error codes of RFC 7591. It has none for the last two, which use those of RFC 6749. */
const NAMES: Partial<Record<ErrorCode, string>> = {
  validation_error: 'invalid_client_metadata',
  bad_request: 'invalid_client_metadata',
  payload_too_large: 'invalid_client_metadata',
  rate_limited: 'temporarily_unavailable',
  unavailable: 'temporarily_unavailable',
}

/** Converts an error to RFC 7591; undefined for a bug, which goes to the log. */
export function asOAuthError(thrown: unknown) {
  const refusal = isAppError(thrown) ? thrown : refusalOf(thrown)
  const name = refusal && NAMES[refusal.appCode]
  if (!name) return undefined
  const { status, headers, message } = refusal
  const error = refusal instanceof BadRedirect ? 'invalid_redirect_uri' : name
  return { status, headers, body: { error, error_description: message } }
}
