import type { Caller } from '@/core/caller'
import { DAY_MS, nowMs } from '@/core/clock'
import { forbidden, invalidField } from '@/core/errors'
import { refusals } from '@/core/refusals'
import { effectiveScopes, isScope, type Scope } from '@/core/scopes'

/** The scopes that this caller may put into a new token: never beyond its own credential. */
export function grantableScopes(caller: Caller, asked: string[]): Scope[] {
  if (caller.credential.kind === 'oauth') throw forbidden(refusals.noTokensByApplications)
  const scopes = [...new Set(asked)]
  if (!scopes.every(isScope)) throw invalidField('scopes', refusals.unknownScopes)
  for (const scope of effectiveScopes(scopes, true))
    if (!caller.scopes.has(scope)) throw forbidden(refusals.scopesOfMaker)
  return scopes
}

export const expiryIn = (days: number | undefined): Date | null =>
  days === undefined ? null : new Date(nowMs() + days * DAY_MS)

/** A token created by a token expires no later than it. */
export function boundedExpiry(caller: Caller, expiresAt: Date | null): Date | null {
  if (caller.credential.kind !== 'token' || caller.credential.expiresAt === null) return expiresAt
  const latest = caller.credential.expiresAt
  return expiresAt === null || expiresAt > latest ? latest : expiresAt
}
