import type { Static } from '@sinclair/typebox'
import { invalid, invalidField, isAppError } from '@/core/errors'
import { parser } from '@/core/parse'
import { refusals } from '@/core/refusals'
import { isScope, type Scope } from '@/core/scopes'
import { keyOf } from '@/modules/people/uploads/key'
import { redirectFault } from '../redirect-uris'
import { BadRedirect } from './refusal'
import { Details, RedirectUris } from './schema'

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
