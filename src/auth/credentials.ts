import type { Caller, Role } from '@/core/caller'
import { effectiveScopes, isScope, type Scope, scopesOfRole } from '@/core/scopes'
import type { Used } from './last-used'
import { findAccessToken, findSession, findToken } from './queries'

/** Personal tokens, and access tokens of an application that acts for a person. */
export const TOKEN_PREFIX = 'fm_pat_'
export const ACCESS_PREFIX = 'fm_at_'

/** The owner of a credential, and its expiry. */
export type Identity = {
  caller: Caller
  expiresAt: number
  used: Used | null
  /** The developer of the application that acts for the caller. */
  appOwnerId?: string | null
}

type Owner = { userId: string; role: Role; suspendedAt: Date | null }

const isAdmin = ({ role }: Owner) => role === 'admin'

const granted = (owner: Owner & { scopes: string[] }): ReadonlySet<Scope> =>
  effectiveScopes(owner.scopes.filter(isScope), isAdmin(owner))

const callerOf = (
  { userId, role }: Owner,
  scopes: ReadonlySet<Scope>,
  credential: Caller['credential'],
): Caller => ({ userId, role, scopes, credential })

/** A credential of a suspended owner is invalid. */
const unlessSuspended = <R extends Owner>(row: R | undefined): R | undefined =>
  row?.suspendedAt === null ? row : undefined

export async function loadToken(hash: Uint8Array): Promise<Identity | null> {
  const row = unlessSuspended(await findToken(hash))
  if (!row) return null
  return {
    caller: callerOf(row, granted(row), { kind: 'token', id: row.id, expiresAt: row.expiresAt }),
    expiresAt: row.expiresAt?.getTime() ?? Number.POSITIVE_INFINITY,
    used: { kind: 'token', id: row.id, recordedAt: row.lastUsedAt?.getTime() ?? 0 },
  }
}

export async function loadAccessToken(hash: Uint8Array): Promise<Identity | null> {
  const row = unlessSuspended(await findAccessToken(hash))
  // Suspending a developer invalidates their applications.
  if (!row || row.appOwnerSuspendedAt !== null) return null
  return {
    caller: callerOf(row, granted(row), {
      kind: 'oauth',
      id: row.id,
      clientId: row.clientId,
      grantId: row.grantId,
      resource: row.resource,
    }),
    expiresAt: row.expiresAt.getTime(),
    used: { kind: 'grant', id: row.grantId, recordedAt: row.lastUsedAt?.getTime() ?? 0 },
    appOwnerId: row.appOwnerId,
  }
}

export async function loadSession(hash: Uint8Array): Promise<Identity | null> {
  const row = unlessSuspended(await findSession(hash))
  if (!row) return null
  return {
    caller: callerOf(row, scopesOfRole(isAdmin(row)), { kind: 'session', id: row.id }),
    expiresAt: row.expiresAt.getTime(),
    used: { kind: 'session', id: row.id, recordedAt: row.lastSeenAt.getTime() },
  }
}
