/** Error codes of RFC 6749 and its extensions. */
export type Fault =
  | 'access_denied'
  | 'consent_required'
  | 'invalid_client'
  | 'invalid_grant'
  | 'invalid_request'
  | 'invalid_scope'
  | 'invalid_target'
  | 'login_required'
  | 'request_not_supported'
  | 'request_uri_not_supported'
  | 'temporarily_unavailable'
  | 'unsupported_grant_type'
  | 'unsupported_response_type'

/** An OAuth error. The endpoint decides how to send it. */
export class OAuthRefusal extends Error {
  constructor(
    readonly fault: Fault,
    /** For the developer: ASCII without quotes, never input. */
    readonly description: string,
    readonly status = 400,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(description)
  }
}

export const invalidRequest = (description: string) => new OAuthRefusal('invalid_request', description)

export const invalidGrant = (description: string) => new OAuthRefusal('invalid_grant', description)
