import { createServer } from 'node:http'
import { randomHex } from '@/core/codes'
import { type OpenIdProvider, openId, providers } from '@/modules/access/sign-in/providers/definitions'
import { apiUrl } from '../../../support/api'

export type Claims = Record<string, unknown>

/** A real OpenID provider on this machine, with an account for whoever has claims in `people`. */
export async function startOpenId() {
  const { default: Provider } = await import('oidc-provider')
  const people = new Map<string, Claims>()
  const credentials = { clientId: 'folkmoot', clientSecret: randomHex(16) }
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  const issuer = `http://127.0.0.1:${port}`
  const provider = quietly(
    () =>
      new Provider(issuer, {
        clients: [
          {
            client_id: credentials.clientId,
            client_secret: credentials.clientSecret,
            redirect_uris: ['http://localhost/auth/oidc/callback'],
            token_endpoint_auth_method: 'client_secret_post',
          },
        ],
        claims: {
          openid: ['sub'],
          email: ['email', 'email_verified'],
          profile: ['name', 'preferred_username'],
        },
        cookies: { keys: ['a key for tests'] },
        pkce: { required: () => true },
        findAccount: async (_context, sub) => ({
          accountId: sub,
          claims: async () => ({ sub, ...people.get(sub) }),
        }),
        ttl: { AccessToken: 600, Grant: 600, IdToken: 600, Interaction: 600, Session: 600 },
      }),
  )
  server.on('request', provider.callback())
  const definition: OpenIdProvider = openId('oidc', { name: 'Town Hall', issuer, ...credentials })
  providers.set('oidc', definition)
  return {
    issuer,
    people,
    definition,
    stop: () => {
      providers.delete('oidc')
      server.closeAllConnections()
      server.close()
    },
  }
}

/** It warns of settings that nobody should use outside of tests. */
function quietly<T>(make: () => T): T {
  const { info, warn } = console
  Object.assign(console, { info() {}, warn() {} })
  try {
    return make()
  } finally {
    Object.assign(console, { info, warn })
  }
}

type Jar = Map<string, string>

/** What is longer, browsers drop without a word. */
const COOKIE_MAX = 4096

/** A browser without a screen: it keeps cookies for each host and goes where it is sent. */
export function browser() {
  const jars = new Map<string, Jar>()
  const jarOf = (url: URL) => {
    const jar = jars.get(url.host) ?? new Map()
    jars.set(url.host, jar)
    return jar
  }

  /** The server believes itself to be at `http://localhost`; it is where the tests started it. */
  const real = (url: string) => new URL(url.replace(/^http:\/\/localhost(?=\/)/, apiUrl()))

  async function go(
    to: string,
    options: { form?: Record<string, string>; headers?: Record<string, string> } = {},
  ) {
    const url = real(to)
    const jar = jarOf(url)
    const response = await fetch(url, {
      method: options.form ? 'POST' : 'GET',
      redirect: 'manual',
      headers: {
        'x-forwarded-for': `10.9.${Math.floor(Math.random() * 255)}.${Math.floor(Math.random() * 255)}`,
        cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; '),
        ...(options.form && { 'content-type': 'application/x-www-form-urlencoded' }),
        ...(url.origin === apiUrl() && { 'sec-fetch-site': 'same-origin' }),
        ...options.headers,
      },
      ...(options.form && { body: new URLSearchParams(options.form).toString() }),
    })
    for (const line of response.headers.getSetCookie()) {
      const [pair = '', ...attributes] = line.split(/;\s*/)
      const [name = '', value = ''] = [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]
      const isGone =
        value === '' || attributes.some((one) => /^max-age=0$|^expires=Thu, 01 Jan 1970/i.test(one))
      if (isGone) jar.delete(name)
      else if (name.length + value.length <= COOKIE_MAX) jar.set(name, value)
    }
    const location = response.headers.get('location')
    return {
      status: response.status,
      url: url.href,
      text: await response.text(),
      headers: response.headers,
      location: location === null ? null : new URL(location, to).href,
    }
  }

  /** Says at the provider's who one is and agrees, and gives the address that leads back to us. */
  async function identifyAs(login: string, start: string): Promise<string> {
    let to = start
    for (let step = 0; step < 12; step += 1) {
      const page = await go(to)
      if (page.location?.startsWith('http://localhost/')) return page.location
      if (page.location !== null) to = page.location
      else {
        const prompt = /name="prompt" value="(\w+)"/.exec(page.text)?.[1] ?? ''
        const action = /action="([^"]+)"/.exec(page.text)?.[1] ?? ''
        const sent = await go(new URL(action, page.url).href, {
          form: prompt === 'login' ? { prompt, login, password: 'x' } : { prompt },
        })
        to = sent.location as string
      }
    }
    throw new Error('the provider did not send anybody back')
  }

  return {
    go,
    identifyAs,
    session: () => jarOf(real('http://localhost/')).get('session'),
    jar: () => jarOf(real('http://localhost/')),
  }
}

/** Signs in, or links, with the provider from the button to the end. */
export async function passThrough(visitor: ReturnType<typeof browser>, login: string, returnTo = '/events') {
  const start = await visitor.go(`http://localhost/auth/oidc?returnTo=${encodeURIComponent(returnTo)}`)
  const back = await visitor.identifyAs(login, start.location as string)
  return visitor.go(back)
}
