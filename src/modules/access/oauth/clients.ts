import { timingSafeEqual } from 'node:crypto'
import { hashSecret } from '@/auth/secrets'
import { now, nowMs } from '@/core/clock'
import { randomHex } from '@/core/codes'
import { db } from '@/db/client'
import type { Visit } from '@/http/visit'
import { compareWithFewFailures } from './limits'
import type { Parameters } from './parameters'
import { type Client, findClient, touchClient } from './queries'
import { invalidRequest, OAuthRefusal } from './refusal'

const CLIENT_ID = /^fm_app_[0-9a-f]{32}$/
const BASIC = /^Basic +([A-Za-z0-9+/]+={0,2})$/i
const REST_MS = 3_600_000

/** Compared for an unknown client, so that it takes as long as a wrong secret. */
const UNKNOWN_CLIENT_HASH = hashSecret(randomHex(32))

/** Skips the query for a malformed id. */
export const clientOf = async (clientId: string): Promise<Client | undefined> =>
  CLIENT_ID.test(clientId) ? findClient(db, clientId) : undefined

type Shown = { clientId: string; secret?: string; byBasic: boolean }

/** Authenticates the client: by Basic, by its secret in the form, or by id alone if it is public. */
export async function authenticate(visit: Visit, form: Parameters): Promise<Client> {
  const shown = credentialsOf(visit.request.headers.get('authorization'), form)
  const client = await clientOf(shown.clientId)
  if (!(await isProved(visit, client, shown.secret)) || !client || !isAsRegistered(client, shown))
    throw invalidClient(shown.byBasic)
  await noteUse(client)
  return client
}

function credentialsOf(authorization: string | null, form: Parameters): Shown {
  const [clientId, secret] = [form.get('client_id'), form.get('client_secret')]
  if (authorization === null) {
    if (clientId === undefined) throw invalidClient(false)
    return { clientId, secret, byBasic: false }
  }
  if (secret !== undefined) throw invalidRequest('Show the client secret in one place, not in two')
  const shown = basicOf(authorization)
  if (clientId !== undefined && clientId !== shown.clientId)
    throw invalidRequest('client_id is not the client that authenticates')
  return shown
}

/** Both halves are form-encoded before they are joined (RFC 6749, 2.3.1). */
function basicOf(authorization: string): Shown {
  const joined = Buffer.from(BASIC.exec(authorization)?.[1] ?? '', 'base64').toString()
  const [, clientId, secret] = /^([^:]*):(.*)$/s.exec(joined) ?? []
  if (clientId === undefined || secret === undefined) throw invalidClient(/^Basic\b/i.test(authorization))
  try {
    // Basic cannot omit the secret, so a client without one sends it empty.
    return { clientId: formDecoded(clientId), secret: formDecoded(secret) || undefined, byBasic: true }
  } catch {
    throw invalidClient(true)
  }
}

const formDecoded = (text: string) => decodeURIComponent(text.replaceAll('+', ' '))

/** A public client has no secret, and one that sends a secret is an impostor. */
async function isProved(
  visit: Visit,
  client: Client | undefined,
  secret: string | undefined,
): Promise<boolean> {
  const kept = client?.secretHash ?? UNKNOWN_CLIENT_HASH
  const isSame = () => timingSafeEqual(hashSecret(secret ?? ''), kept)
  if (client?.secretHash && secret !== undefined) return compareWithFewFailures(visit, client, isSame)
  isSame()
  return client !== undefined && client.secretHash === null && secret === undefined
}

/** A dynamically registered client must use its registered method; a developer's own may choose. */
const isAsRegistered = ({ ownerId, authMethod }: Client, { byBasic }: Shown) =>
  ownerId !== null || authMethod === 'none' || byBasic === (authMethod === 'client_secret_basic')

/** The same for an unknown client, a wrong secret and a missing one. */
const invalidClient = (byBasic: boolean) =>
  new OAuthRefusal(
    'invalid_client',
    'The client is unknown, or its secret is wrong or missing',
    401,
    byBasic ? { 'www-authenticate': 'Basic realm="Folkmoot", charset="UTF-8"' } : {},
  )

/** Records the use, because unused applications are deleted; accurate to an hour. */
async function noteUse({ clientId, lastUsedAt }: Client): Promise<void> {
  if (nowMs() - (lastUsedAt?.getTime() ?? 0) > REST_MS) await touchClient(db, clientId, now())
}
