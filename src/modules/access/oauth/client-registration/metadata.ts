import type { Static } from '@sinclair/typebox'
import { AppError, type ErrorCode, invalid, invalidField, isAppError } from '@/core/errors'
import { parser } from '@/core/parse'
import { refusals } from '@/core/refusals'
import { isScope, type Scope } from '@/core/scopes'
import { refusalOf } from '@/db/conflicts'
import { keyOf } from '@/modules/people/uploads/key'
import { redirectFault } from '../redirect-uris'
import { Details, RedirectUris } from './schema'

class BadRedirect extends AppError {
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

export type Metadata = Omit<Static<typeof Details>, 'scope'> & {
  redirect_uris: string[]
  /** Null: any scope may be requested. */
  scopes: Scope[] | null
}

const parseRedirects = parser(RedirectUris)
const parseDetails = parser(Details)

/** Parses client metadata; ignores unknown fields, as RFC 7591 requires. */
export function readMetadata(body: unknown): Metadata {
  const given = said(body)
  const redirect_uris = readRedirects(given.redirect_uris)
  const { scope, ...details } = parseDetails(given)
  // A client without the authorization code grant could do nothing here.
  if (details.grant_types && !details.grant_types.includes('authorization_code'))
    throw invalidField('grant_types', 'must hold authorization_code')
  // Uploaded files have owners, and a dynamically registered application has none.
  if (details.logo_uri !== undefined && keyOf(details.logo_uri) !== undefined)
    throw invalidField(
      'logo_uri',
      'must be an address elsewhere: only a member can show a file of this server',
    )
  return { ...details, redirect_uris, scopes: readScopes(scope) }
}

const KNOWN = new Set([...Object.keys(RedirectUris.properties), ...Object.keys(Details.properties)])

/** Null counts as omitted; unknown fields are not inspected. */
function said(body: unknown): Record<string, unknown> {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw invalid(refusals.objectOnly)
  return Object.fromEntries(Object.entries(body).filter(([name, value]) => KNOWN.has(name) && value !== null))
}

function readRedirects(given: unknown): string[] {
  try {
    const { redirect_uris: uris } = parseRedirects({ redirect_uris: given })
    for (const [index, uri] of uris.entries()) {
      const fault = redirectFault(uri)
      if (fault) throw invalidField(`redirect_uris.${index}`, fault)
    }
    return uris
  } catch (error) {
    throw isAppError(error) ? new BadRedirect(error.message) : error
  }
}

/**
 * Clients list scopes of every server they know; keeps ours, and the response names them. A client without any of ours has no
 * limit.
 */
function readScopes(scope: string | undefined): Scope[] | null {
  const known = [...new Set(scope?.split(' ').filter(isScope))]
  return known.length > 0 ? known : null
}
