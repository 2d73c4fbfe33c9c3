import { hashSecret } from '@/auth/secrets'
import { randomHex } from '@/core/codes'
import { SCOPE_NAMES, type Scope } from '@/core/scopes'
import { db } from '@/db/client'
import { oauthClients } from '@/db/tables/oauth'
import { newClientId, newClientSecret } from '@/modules/access/oauth/secrets'
import { type Answer, get, post } from '../../../support/api'
import { makeSession, makeUser } from '../../../support/make'

export type MadeClient = typeof oauthClients.$inferSelect & { secret: string }

export const CALLBACK = 'https://app.example/callback'

/** An application that can keep a secret, unless it is said to be public. */
export async function makeClient(
  fields: Partial<typeof oauthClients.$inferInsert> = {},
): Promise<MadeClient> {
  const secret = newClientSecret()
  const isPublic = fields.authMethod === 'none'
  const [row] = await db
    .insert(oauthClients)
    .values({
      clientId: newClientId(),
      name: 'Calendar Helper',
      redirectUris: [CALLBACK],
      authMethod: 'client_secret_basic',
      secretHash: isPublic ? null : hashSecret(secret),
      ...fields,
    })
    .returning()
  return { ...(row as typeof oauthClients.$inferSelect), secret }
}

export const makePublicClient = (fields: Partial<typeof oauthClients.$inferInsert> = {}) =>
  makeClient({ authMethod: 'none', ...fields })

/** One that a developer of ours answers for. */
export const makeOwnedClient = async (fields: Partial<typeof oauthClients.$inferInsert> = {}) =>
  makeClient({ ownerId: (await makeUser()).id, ...fields })

export function makePkce() {
  const verifier = randomHex(32)
  const challenge = new Bun.CryptoHasher('sha256').update(verifier).digest('base64url')
  return { verifier, challenge }
}

/** Parameters of a good request; what is undefined is left out. */
export const requestOf = (
  client: { clientId: string; redirectUris: string[] },
  over: Record<string, string | undefined> = {},
): Record<string, string | undefined> => ({
  response_type: 'code',
  client_id: client.clientId,
  redirect_uri: client.redirectUris[0],
  scope: 'read:user',
  code_challenge: makePkce().challenge,
  code_challenge_method: 'S256',
  state: 'xyz',
  ...over,
})

export const queryOf = (fields: Record<string, string | undefined>) =>
  Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${encodeURIComponent(value as string)}`)
    .join('&')

export const authorizePath = (fields: Record<string, string | undefined>) =>
  `/oauth/authorize?${queryOf(fields)}`

/** The seal that a consent page holds. */
export const sealOf = (page: Answer) => /name="request" value="([^"]+)"/.exec(page.text)?.[1] as string

export const form = (fields: Record<string, string>, headers: Record<string, string> = {}) => ({
  body: new URLSearchParams(fields).toString(),
  headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
})

/** Presses a button of the page, with every box ticked unless it is said which. */
export const decide = (
  session: string,
  sealed: string,
  decision = 'allow',
  ticked: readonly string[] = SCOPE_NAMES,
) =>
  post('/oauth/authorize', {
    session,
    ...form({
      request: sealed,
      decision,
      ...Object.fromEntries(ticked.map((scope) => [`scope.${scope}`, 'on'])),
    }),
  })

/** What came back to the application. */
export const answerOf = ({ headers }: Answer) => {
  const location = headers.get('location') ?? ''
  const at = location.indexOf('?')
  return {
    to: location.slice(0, at),
    ...Object.fromEntries(new URLSearchParams(location.slice(at + 1))),
  } as Record<string, string>
}

/** A person who says yes. */
export async function consent(session: string, fields: Record<string, string | undefined>): Promise<Answer> {
  const asked = await get(authorizePath(fields), { session })
  return asked.status === 200 ? decide(session, sealOf(asked)) : asked
}

export const basicOf = ({ clientId, secret }: MadeClient) => ({
  authorization: `Basic ${btoa(`${encodeURIComponent(clientId)}:${encodeURIComponent(secret)}`)}`,
})

/** How the application shows that it is itself, by its own method. */
export const asClient = (client: MadeClient, fields: Record<string, string>) =>
  client.authMethod === 'none'
    ? form({ client_id: client.clientId, ...fields })
    : form(fields, basicOf(client))

export const askToken = (client: MadeClient, fields: Record<string, string>, base?: string) =>
  post('/oauth/token', { ...asClient(client, fields), ...(base && { base }) })

/** A code, and everything that is needed to use it. */
export async function makeCode(
  client: MadeClient,
  { scope = 'read:user' as Scope | string, session = '', ...over }: Record<string, string> = {},
) {
  const pkce = makePkce()
  const user = session ? undefined : await makeUser()
  const signedIn = session || (await makeSession(user?.id as string))
  const answer = await consent(
    signedIn,
    requestOf(client, { scope, code_challenge: pkce.challenge, ...over }),
  )
  const { code } = answerOf(answer)
  if (!code) throw new Error(`no code: ${answer.status} ${answer.headers.get('location')}`)
  const use = {
    grant_type: 'authorization_code',
    code,
    redirect_uri: over.redirect_uri ?? (client.redirectUris[0] as string),
    code_verifier: pkce.verifier,
  }
  return { code, use, session: signedIn, user, ...pkce }
}

/** Tokens in an application's hands. */
export async function makeTokens(client: MadeClient, over: Record<string, string> = {}) {
  const made = await makeCode(client, over)
  const { status, body, text } = await askToken(client, made.use)
  if (status !== 200) throw new Error(`no tokens: ${status} ${text}`)
  return {
    ...made,
    access: body.access_token as string,
    refresh: body.refresh_token as string,
    scope: body.scope as string,
  }
}

export const askRefresh = (client: MadeClient, refresh: string, more: Record<string, string> = {}) =>
  askToken(client, { grant_type: 'refresh_token', refresh_token: refresh, ...more })
