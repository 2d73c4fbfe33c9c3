import type { Caller } from '@/core/caller'
import { MCP_RESOURCE } from '@/core/own-addresses'
import { AGENT_SCOPES, SCOPE_NAMES, type Scope, scopesOfRole } from '@/core/scopes'
import {
  covers,
  demandWithin,
  needed,
  type Parameters,
  readResource,
  readScopes,
  scopesFor,
  unionOf,
} from '../parameters'
import type { Client } from '../queries'
import { invalidRequest, OAuthRefusal } from '../refusal'
import { isWellFormed } from '../secrets'
import type { AuthorizationRequest } from './check-client'

/** The validated request: its scopes and the PKCE challenge. */
export type Asked = {
  request: AuthorizationRequest
  caller: Caller
  scopes: Scope[]
  /** Scopes that were not requested but the person may add. */
  extras: Scope[]
  challenge: string
  resource: string | null
  prompt: ReadonlySet<string>
}

/** Validates a request, in this order. Errors go to the application. */
export function checkRequest(request: AuthorizationRequest, caller: Caller): Asked {
  const { parameters, client } = request
  demandNoRepeats(request)
  demandState(request)
  demandPlainRequest(parameters)
  demandCodeFlow(parameters)
  const challenge = readChallenge(parameters)
  const resource = readResource(parameters.get('resource'))
  const isAgent = resource === MCP_RESOURCE
  const scopes = readScopes(
    parameters.get('scope') ?? client.scopes?.join(' '),
    isAgent ? AGENT_SCOPES : undefined,
  )
  // The application's own limit applies to every user.
  demandWithin(mostOf(client), scopes, true)
  return {
    request,
    caller,
    challenge,
    scopes: scopesFor(scopes, caller.role === 'admin'),
    extras: isAgent ? extrasFor(client, scopes, caller) : [],
    resource,
    prompt: readPrompt(parameters),
  }
}

/**
 * The most an application may request. A developer sets it deliberately. For a dynamically registered one the registered scopes
 * are only a start, because it cannot register again, and the person is asked anyway; but `admin` must be registered.
 */
function mostOf({ ownerId, scopes }: Client): readonly string[] {
  if (scopes === null) return SCOPE_NAMES
  return ownerId === null ? [...scopes, ...scopesOfRole(false)] : scopes
}

/**
 * Optional scopes for an agent that requests exactly the scopes of our 401. Its library may never step up, not even to what it
 * registered. Any other request gets only its own scopes.
 */
function extrasFor(client: Client, scopes: readonly Scope[], { role }: Caller): Scope[] {
  if (scopes.join() !== AGENT_SCOPES.join()) return []
  const most = mostOf(client)
  return unionOf([...scopesOfRole(false)], client.scopes ?? []).filter(
    (scope) =>
      scope !== 'developer' &&
      !covers(scopes, [scope], false) &&
      covers(most, [scope], true) &&
      (scope !== 'admin' || role === 'admin'),
  )
}

function demandNoRepeats({ repeated }: AuthorizationRequest) {
  if (repeated.size > 0) throw invalidRequest('A parameter was sent more than once')
}

function demandState({ parameters, state }: AuthorizationRequest) {
  if (state !== parameters.get('state')) throw invalidRequest('state is longer than 2000 characters')
}

function demandPlainRequest(parameters: Parameters) {
  if (parameters.has('request'))
    throw new OAuthRefusal('request_not_supported', 'Send the parameters themselves instead of request')
  if (parameters.has('request_uri'))
    throw new OAuthRefusal(
      'request_uri_not_supported',
      'Send the parameters themselves instead of request_uri',
    )
}

function demandCodeFlow(parameters: Parameters) {
  if (needed(parameters, 'response_type') !== 'code')
    throw new OAuthRefusal('unsupported_response_type', 'response_type must be code')
  if ((parameters.get('response_mode') ?? 'query') !== 'query')
    throw invalidRequest('response_mode must be query')
}

function readChallenge(parameters: Parameters): string {
  const challenge = needed(parameters, 'code_challenge')
  if (parameters.get('code_challenge_method') !== 'S256')
    throw invalidRequest('code_challenge_method must be S256')
  if (!isWellFormed(challenge))
    throw invalidRequest('code_challenge must be 43 to 128 letters, digits or any of - . _ ~')
  return challenge
}

const PROMPTS = new Set(['none', 'consent', 'login', 'select_account'])

function readPrompt(parameters: Parameters): ReadonlySet<string> {
  const prompt = new Set(parameters.get('prompt')?.split(' '))
  if (!prompt.isSubsetOf(PROMPTS))
    throw invalidRequest('prompt must be none, consent, login or select_account')
  if (prompt.has('none') && prompt.size > 1) throw invalidRequest('prompt=none stands alone')
  return prompt
}
