import type { Caller, Visitor } from '@/core/caller'
import { nowMs } from '@/core/clock'
import { isCheckedSecret } from '@/core/codes'
import { effectiveScopes, isScope, scopesOfRole } from '@/core/scopes'
import { cache } from '@/db/cache'
import { hashSecretHex } from './hashing'
import { findSession, findToken } from './queries'
import { type Sighted, sight } from './sightings'

export const TOKEN_PREFIX = 'fm_pat_'
const BEARER = /^Bearer +([\x21-\x7e]{1,200})$/i
const SESSION_SECRET = /^[0-9a-f]{64}$/

/** Who is at the door. A bad bearer is refused and never falls back to the cookie. */
export function identify(headers: Headers): Visitor | Promise<Visitor> {
  const authorization = headers.get('authorization')
  if (authorization !== null) return identifyBearer(authorization)
  const cookie = headers.get('cookie')
  return cookie === null ? 'anonymous' : identifyCookie(cookie)
}

function identifyBearer(authorization: string): Visitor | Promise<Visitor> {
  const token = BEARER.exec(authorization)?.[1]
  // The checksum refuses what was mistyped or invented without a question to the database.
  if (token === undefined || !isCheckedSecret(TOKEN_PREFIX, token)) return 'refused'
  return remembered(`t${hashSecretHex(token)}`, 'refused')
}

function identifyCookie(cookie: string): Visitor | Promise<Visitor> {
  const secrets = sessionCookies(cookie)
  if (secrets.length === 0) return 'anonymous'
  // Two of them means that somebody planted one.
  if (secrets.length > 1) return 'refused'
  const secret = secrets[0] as string
  // A stale cookie is no offence: its bearer is simply not signed in.
  return SESSION_SECRET.test(secret) ? remembered(`s${hashSecretHex(secret)}`, 'anonymous') : 'anonymous'
}

const sessionCookies = (cookie: string) =>
  cookie
    .split(';')
    .map((part) => part.trim())
    .filter((part) => part.startsWith('session='))
    .map((part) => part.slice('session='.length))

type Identity = { caller: Caller; expiresAt: number; sighted: Sighted }

const identities = cache<Identity | null>({
  max: 50_000,
  load: (key) => (key.startsWith('t') ? loadToken(key.slice(1)) : loadSession(key.slice(1))),
  drops: (fact, drop) => {
    if (fact.type === 'token.revoked' || fact.type === 'session.ended' || fact.type === 'user.deleted')
      drop.where((identity) => identity?.caller.userId === fact.data.userId)
  },
})

function remembered(key: string, otherwise: Visitor): Visitor | Promise<Visitor> {
  const identity = identities.get(key)
  return identity instanceof Promise
    ? identity.then((loaded) => admit(loaded, otherwise))
    : admit(identity, otherwise)
}

function admit(identity: Identity | null, otherwise: Visitor): Visitor {
  if (identity === null || identity.expiresAt <= nowMs()) return otherwise
  sight(identity.sighted)
  return identity.caller
}

async function loadToken(hash: string): Promise<Identity | null> {
  const row = await findToken(Buffer.from(hash, 'hex'))
  if (!row || row.suspendedAt) return null
  return {
    caller: {
      userId: row.userId,
      role: row.role,
      scopes: effectiveScopes(row.scopes.filter(isScope), row.role === 'admin'),
      credential: { kind: 'token', id: row.id, expiresAt: row.expiresAt },
    },
    expiresAt: row.expiresAt?.getTime() ?? Number.POSITIVE_INFINITY,
    sighted: { kind: 'token', id: row.id, seenAt: row.lastUsedAt?.getTime() ?? 0 },
  }
}

async function loadSession(hash: string): Promise<Identity | null> {
  const row = await findSession(Buffer.from(hash, 'hex'))
  if (!row || row.suspendedAt) return null
  return {
    caller: {
      userId: row.userId,
      role: row.role,
      scopes: scopesOfRole(row.role === 'admin'),
      credential: { kind: 'session', id: row.id },
    },
    expiresAt: row.expiresAt.getTime(),
    sighted: { kind: 'session', id: row.id, seenAt: row.lastSeenAt.getTime() },
  }
}
