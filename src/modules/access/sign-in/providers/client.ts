import type { Configuration } from 'openid-client'
import { config } from '@/config/config'
import { nowMs } from '@/core/clock'
import { traceHeaders } from '@/core/trace'
import { type Account, openIdAccount } from './accounts'
import { mayGoInClear, type Provider } from './definitions'

type Bounds = { timeoutMs: number; bytesMax: number }

/** A `fetch` with bounded time and size. Follows no redirects: a provider's addresses are known. */
export const bounded =
  ({ timeoutMs, bytesMax }: Bounds) =>
  async (url: string | URL, options: RequestInit): Promise<Response> => {
    const deadline = AbortSignal.timeout(timeoutMs)
    const signal = options.signal ? AbortSignal.any([options.signal, deadline]) : deadline
    const headers = new Headers(options.headers)
    for (const [name, value] of Object.entries(traceHeaders())) headers.set(name, value)
    const response = await fetch(url, { ...options, headers, redirect: 'manual', signal })
    const body = response.body && (await readBounded(response.body, bytesMax))
    return new Response(body, { status: response.status, headers: response.headers })
  }

export const boundedFetch = bounded({ timeoutMs: 8_000, bytesMax: 512 * 1024 })

async function readBounded(stream: ReadableStream<Uint8Array>, bytesMax: number): Promise<ArrayBuffer> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of stream) {
    size += chunk.byteLength
    if (size > bytesMax) throw new Error('The provider sent too much')
    chunks.push(chunk)
  }
  return new Uint8Array(Buffer.concat(chunks)).buffer
}

export type Checks = { state: string; nonce: string; verifier: string }

/** Loaded with the first sign-in of this kind. */
const library = () => import('openid-client')

export async function newChecks(): Promise<Checks> {
  const { randomNonce, randomPKCECodeVerifier, randomState } = await library()
  return { state: randomState(), nonce: randomNonce(), verifier: randomPKCECodeVerifier() }
}

const callbackUrl = ({ id }: Provider) => `${config.authUrl}/auth/${id}/callback`

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

/** Exchanges the provider's response, `sent`, and returns the person's account there. */
export async function accountBehind(
  provider: Provider,
  sent: URLSearchParams,
  checks: Checks,
): Promise<Account> {
  const { authorizationCodeGrant, fetchUserInfo, fetchProtectedResource } = await library()
  const client = await clientOf(provider)
  // The redirect URI comes from configuration, not from the request's host.
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
  // Most providers put the mail address into the id token; others need the userinfo endpoint.
  const isWhole = claims.email !== undefined || client.serverMetadata().userinfo_endpoint === undefined
  const more = isWhole ? {} : await fetchUserInfo(client, tokens.access_token, claims.sub)
  return openIdAccount(claims.iss, { ...claims, ...more })
}

/** GitHub requires a User-Agent. */
const HEADERS = new Headers({ accept: 'application/json', 'user-agent': 'Folkmoot' })

const KEPT_MS = 60 * 60 * 1000
const kept = new Map<Provider, { until: number; client: Promise<Configuration> }>()

/** Caches a provider's metadata for an hour; failures are not cached. */
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
      // The token comes from the provider itself over TLS; verifies its signature anyway.
      openid.enableNonRepudiationChecks,
      ...(mayGoInClear(provider.issuer) ? [openid.allowInsecureRequests] : []),
    ],
  })
}
