import type { Configuration } from 'openid-client'
import { config } from '@/config/config'
import { nowMs } from '@/core/clock'
import { type Account, openIdAccount } from './accounts'
import { mayGoInClear, type Provider } from './definitions'
import { boundedFetch } from './fetch'

/** What has to come back as it was sent, for as long as a person is away at the provider's. */
export type Checks = { state: string; nonce: string; verifier: string }

/** Loaded when somebody first signs in that way. */
const library = () => import('openid-client')

export async function newChecks(): Promise<Checks> {
  const { randomNonce, randomPKCECodeVerifier, randomState } = await library()
  return { state: randomState(), nonce: randomNonce(), verifier: randomPKCECodeVerifier() }
}

const callbackUrl = ({ id }: Provider) => `${config.authUrl}/auth/${id}/callback`

/** Where the person goes to say who they are. */
export async function authorizationUrl(
  provider: Provider,
  { state, nonce, verifier }: Checks,
): Promise<string> {
  const { buildAuthorizationUrl, calculatePKCECodeChallenge } = await library()
  return buildAuthorizationUrl(await clientOf(provider), {
    redirect_uri: callbackUrl(provider),
    scope: provider.scope,
    state,
    code_challenge: await calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    ...(provider.kind === 'openid' && { nonce }),
  }).href
}

/** Takes what the provider sent back, `sent`, to the provider and learns who it was. */
export async function accountBehind(
  provider: Provider,
  sent: URLSearchParams,
  checks: Checks,
): Promise<Account> {
  const { authorizationCodeGrant, fetchUserInfo, fetchProtectedResource } = await library()
  const client = await clientOf(provider)
  // The address is ours as configuration has it, whatever name the request came under.
  const tokens = await authorizationCodeGrant(client, new URL(`?${sent}`, callbackUrl(provider)), {
    expectedState: checks.state,
    pkceCodeVerifier: checks.verifier,
    ...(provider.kind === 'openid' && { expectedNonce: checks.nonce }),
  })
  if (provider.kind === 'oauth')
    return provider.account(async (url) => {
      const answer = await fetchProtectedResource(
        client,
        tokens.access_token,
        new URL(url),
        'GET',
        undefined,
        HEADERS,
      )
      if (answer.status !== 200) throw new Error(`The provider answered ${answer.status}`)
      return answer.json()
    })
  const claims = tokens.claims()
  if (claims === undefined) throw new Error('The provider did not say who this is')
  // Most put the address into the token; some have to be asked for it.
  const isWhole = claims.email !== undefined || client.serverMetadata().userinfo_endpoint === undefined
  const more = isWhole ? {} : await fetchUserInfo(client, tokens.access_token, claims.sub)
  return openIdAccount(claims.iss, { ...claims, ...more })
}

/** GitHub refuses programs that do not say what they are. */
const HEADERS = new Headers({ accept: 'application/json', 'user-agent': 'Folkmoot' })

const KEPT_MS = 60 * 60 * 1000
const kept = new Map<Provider, { until: number; client: Promise<Configuration> }>()

/** A provider's own description is read once an hour; one that could not be read is not kept. */
function clientOf(provider: Provider): Promise<Configuration> {
  const known = kept.get(provider)
  if (known && known.until > nowMs()) return known.client
  const client = makeClient(provider)
  kept.set(provider, { until: nowMs() + KEPT_MS, client })
  client.catch(() => kept.delete(provider))
  return client
}

async function makeClient(provider: Provider): Promise<Configuration> {
  const openid = await library()
  const { clientId, clientSecret } = provider
  if (provider.kind === 'oauth') {
    const client = new openid.Configuration(provider.server, clientId, clientSecret)
    client[openid.customFetch] = boundedFetch
    if (mayGoInClear(provider.server.issuer)) openid.allowInsecureRequests(client)
    return client
  }
  return openid.discovery(new URL(provider.issuer), clientId, clientSecret, undefined, {
    [openid.customFetch]: boundedFetch,
    execute: [
      // The token comes from the provider itself, over TLS; its signature is looked at all the same.
      openid.enableNonRepudiationChecks,
      ...(mayGoInClear(provider.issuer) ? [openid.allowInsecureRequests] : []),
    ],
  })
}
