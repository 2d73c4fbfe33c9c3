import type { Visitor } from '@/core/caller'
import { nowMs } from '@/core/clock'
import { isCheckedSecret } from '@/core/codes'
import type { BusMessage } from '@/core/domain-events'
import { cache } from '@/outbox/cache'
import {
  ACCESS_PREFIX,
  type Identity,
  loadAccessToken,
  loadSession,
  loadToken,
  TOKEN_PREFIX,
} from './credentials'
import { recordUse } from './last-used'
import { hashSecret } from './secrets'

const PREFIXES = [TOKEN_PREFIX, ACCESS_PREFIX]
/** The whole header is a cache key, so every part is bounded. */
const BEARER = /^Bearer {1,4}([\x21-\x7e]{1,200})$/i
const SESSION_SECRET = /^[0-9a-f]{64}$/

/** Identifies the caller. A bad bearer token is refused and never falls back to the cookie. */
export function identify(headers: Headers): Visitor | Promise<Visitor> {
  const authorization = headers.get('authorization')
  if (authorization !== null) return identifyBearer(authorization)
  const cookie = headers.get('cookie')
  return cookie === null ? 'anonymous' : identifyCookie(cookie)
}

function identifyBearer(authorization: string): Visitor | Promise<Visitor> {
  const known = bearers.peek(authorization)
  if (known) return callerBehind(known, 'refused')
  const token = BEARER.exec(authorization)?.[1]
  // The checksum refuses typos and guesses without a database query.
  if (token === undefined || !PREFIXES.some((prefix) => isCheckedSecret(prefix, token))) return 'refused'
  return lookUp(bearers, authorization, 'refused')
}

function identifyCookie(cookie: string): Visitor | Promise<Visitor> {
  const secrets = sessionCookies(cookie)
  if (secrets.length === 0) return 'anonymous'
  // Two session cookies mean that one was planted.
  if (secrets.length > 1) return 'refused'
  const secret = secrets[0] as string
  // A stale cookie is no error: the browser is simply not signed in.
  return SESSION_SECRET.test(secret) ? lookUp(cookies, secret, 'anonymous') : 'anonymous'
}

const NO_COOKIES: string[] = []

const sessionCookies = (cookie: string) =>
  !cookie.includes('session=')
    ? NO_COOKIES
    : cookie
        .split(';')
        .map((part) => part.trim())
        .filter((part) => part.startsWith('session='))
        .map((part) => part.slice('session='.length))

/**
 * Identities by credential. The database stores only hashes; the cache is in memory, like the request itself, and hashing each
 * credential would cost a twentieth of a request.
 */
const identityCache = (load: (shown: string) => Promise<Identity | null>) =>
  cache<Identity | null>({
    max: 50_000,
    load,
    drops: (message, drop) => {
      const userId = whoLost(message)
      if (userId !== undefined) drop.where((identity) => identity?.caller.userId === userId)
      const isLost = lostApps(message)
      if (isLost !== undefined) drop.where((identity) => identity !== null && isLost(identity))
    },
  })

/** Identities of applications that a message invalidates: deleted ones, and those of a suspended developer. */
function lostApps({ type, data }: BusMessage): ((identity: Identity) => boolean) | undefined {
  if (type === 'app.deleted')
    return ({ caller: { credential } }) =>
      credential.kind === 'oauth' && credential.clientId === data.clientId
  return type === 'user.deleted' || type === 'user.suspended'
    ? ({ appOwnerId }) => appOwnerId === data.userId
    : undefined
}

/** The person whose credentials may have lost rights by a message. */
function whoLost({ type, data }: BusMessage): string | undefined {
  switch (type) {
    case 'token.revoked':
    case 'session.ended':
    case 'user.deleted':
    case 'user.suspended':
    case 'grant.revoked':
    case 'access.ended':
      return data.userId
    case 'user.updated':
      return data.fields.includes('role') ? data.userId : undefined
    default:
      return undefined
  }
}

const bearers = identityCache((authorization) => {
  const token = BEARER.exec(authorization)?.[1] as string
  return (token.startsWith(ACCESS_PREFIX) ? loadAccessToken : loadToken)(hashSecret(token))
})
const cookies = identityCache((secret) => loadSession(hashSecret(secret)))

function lookUp(
  identities: ReturnType<typeof identityCache>,
  shown: string,
  otherwise: Visitor,
): Visitor | Promise<Visitor> {
  const identity = identities.get(shown)
  return identity instanceof Promise
    ? identity.then((loaded) => callerBehind(loaded, otherwise))
    : callerBehind(identity, otherwise)
}

function callerBehind(identity: Identity | null, otherwise: Visitor): Visitor {
  if (identity === null || identity.expiresAt <= nowMs()) return otherwise
  if (identity.used !== null) recordUse(identity.used)
  return identity.caller
}
