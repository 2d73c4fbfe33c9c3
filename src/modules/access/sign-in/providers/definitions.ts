import type { ServerMetadata } from 'openid-client'
import { config } from '@/config/config'
import { log } from '@/core/log'
import type { Account } from './accounts'
import { discordProfile, githubProfile, type ReadJson } from './accounts'

type Credentials = { clientId: string; clientSecret: string }

type Common = Credentials & {
  /** Part of paths and rows, so it never changes. */
  id: string
  name: string
  scope: string
}

/** An OpenID provider: it has metadata and signed id tokens. */
export type OpenIdProvider = Common & { kind: 'openid'; issuer: string }

/** A plain OAuth provider: the identity needs an API call. */
export type OAuthProvider = Common & {
  kind: 'oauth'
  server: ServerMetadata
  account: (read: ReadJson) => Promise<Account>
}

export type Provider = OpenIdProvider | OAuthProvider

/** GitHub, or the fake of the tests. */
export const github = (
  credentials: Credentials,
  site = 'https://github.com',
  api = 'https://api.github.com',
): OAuthProvider => ({
  id: 'github',
  name: 'GitHub',
  kind: 'oauth',
  scope: 'read:user user:email',
  server: {
    issuer: `${site}/login/oauth`,
    authorization_endpoint: `${site}/login/oauth/authorize`,
    token_endpoint: `${site}/login/oauth/access_token`,
  },
  account: (read) => githubProfile(read, api),
  ...credentials,
})

export const discord = (credentials: Credentials, site = 'https://discord.com'): OAuthProvider => ({
  id: 'discord',
  name: 'Discord',
  kind: 'oauth',
  scope: 'identify email',
  server: {
    issuer: site,
    authorization_endpoint: `${site}/oauth2/authorize`,
    token_endpoint: `${site}/api/oauth2/token`,
  },
  account: (read) => discordProfile(read, `${site}/api`),
  ...credentials,
})

export const openId = (
  id: string,
  { name, ...rest }: Credentials & { issuer: string; name: string },
): OpenIdProvider => ({ id, name, kind: 'openid', scope: 'openid email profile', ...rest })

const GOOGLE = { name: 'Google', issuer: 'https://accounts.google.com' }

function configured(): Provider[] {
  const { github: hub, google, discord: chat, oidc } = config.providers
  return [
    hub && github(hub),
    google && openId('google', { ...GOOGLE, ...google }),
    chat && discord(chat),
    oidc && openId('oidc', oidc),
  ].filter((provider) => provider !== null)
}

/** Whether an address may skip TLS, where anyone in between could forge an identity: only loopback outside production. */
export const mayGoInClear = (address: string) =>
  config.mode !== 'production' &&
  /^http:\/\/(localhost|127\.\d+\.\d+\.\d+|\[::1\])(:\d+)?(\/|$)/.test(address)

const isSafe = (provider: Provider) => {
  const address = provider.kind === 'openid' ? provider.issuer : provider.server.issuer
  const safe = address.startsWith('https://') || mayGoInClear(address)
  if (!safe)
    log.error('sign-in: a provider is not offered, because its address is not https', {
      provider: provider.id,
    })
  return safe
}

/** Configured providers, in the order of the page. */
export const providers = new Map(
  configured()
    .filter(isSafe)
    .map((provider) => [provider.id, provider]),
)
