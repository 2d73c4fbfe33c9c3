import { config } from '@/config/config'
import { refusals } from '@/core/refusals'
import { clientOf } from '../clients'
import type { Parameters } from '../parameters'
import type { Client } from '../queries'
import { matchesRedirect } from '../redirect-uris'
import { badLink } from './refusal-page'

const STATE_MAX = 2000

/** An authorization request with a valid client and redirect URI, before any other check. */
export type AuthorizationRequest = {
  client: Client
  redirectUri: string
  /** Returned unchanged to the application. */
  state: string | undefined
  /** Parameters that were sent once. */
  parameters: Parameters
  /** Ambiguous, because they were sent more than once. */
  repeated: ReadonlySet<string>
}

/** Shows errors as a page: with an unverified client a redirect would lead to a stranger. */
export async function checkClient(query: string): Promise<AuthorizationRequest> {
  const { parameters, repeated } = readQuery(query)
  const client = await clientOf(parameters.get('client_id') ?? '')
  if (!client)
    throw badLink(
      refusals.applicationUnknown,
      'No application has this client_id. One that registered itself is removed when nobody uses it for 30 days: register it again at /oauth/register.',
    )
  const redirectUri = parameters.get('redirect_uri')
  if (redirectUri === undefined || !matchesRedirect(client.redirectUris, redirectUri))
    throw badLink(
      refusals.redirectUnregistered,
      'redirect_uri has to be one of those that are registered, to the letter; only the port of a loopback address is free.',
    )
  if (beginsHere(redirectUri))
    throw badLink(
      refusals.redirectForeign,
      'redirect_uri leads to a page of this server that only people may begin something on.',
    )
  const state = parameters.get('state')
  const fits = state !== undefined && state.length <= STATE_MAX
  return { client, redirectUri, state: fits ? state : undefined, parameters, repeated }
}

const OURS = [config.baseUrl, config.authUrl, config.legacyBaseUrl]

/** Redirected from us to us, an application could start what only a person on our pages may start. */
function beginsHere(redirectUri: string): boolean {
  const { origin, pathname } = new URL(redirectUri)
  return OURS.includes(origin) && pathname.startsWith('/auth/')
}

function readQuery(query: string): Pick<AuthorizationRequest, 'parameters' | 'repeated'> {
  demandReadable(query)
  const parameters = new Map<string, string>()
  const seen = new Set<string>()
  const repeated = new Set<string>()
  for (const [name, value] of new URLSearchParams(query)) {
    if (seen.has(name)) repeated.add(name)
    seen.add(name)
    if (value !== '') parameters.set(name, value)
  }
  for (const name of repeated) parameters.delete(name)
  return { parameters, repeated }
}

/** A query that does not decode could not be returned unchanged. */
function demandReadable(query: string): void {
  try {
    decodeURIComponent(query)
  } catch {
    throw badLink(refusals.damagedLink, 'The query does not decode as UTF-8.')
  }
}
