import { API_RESOURCE, MCP_RESOURCE } from '@/core/own-addresses'
import { effectiveScopes, isScope, SCOPE_NAMES, type Scope } from '@/core/scopes'
import { invalidRequest, OAuthRefusal } from './refusal'

const LENGTH_MAX = 1000

const invalidScope = (description: string) => new OAuthRefusal('invalid_scope', description)

/**
 * The requested scopes, unique and in registry order. Ignores foreign ones (RFC 6749, 3.3), such as `offline_access`, which
 * agents request everywhere; the response names the granted ones. Without any of ours: the fallback.
 */
export function readScopes(given = '', fallback: readonly Scope[] = []): readonly Scope[] {
  if (given.length > LENGTH_MAX) throw invalidScope(`scope is longer than ${LENGTH_MAX} characters`)
  const names = new Set(given.split(' '))
  const named = SCOPE_NAMES.filter((name) => names.has(name))
  const known = named.length > 0 ? named : fallback
  if (known.length === 0)
    throw invalidScope('scope must hold at least one name from /v1/scopes, separated by spaces')
  return known
}

/**
 * Whether scopes include the requested ones, directly or by implication. `admin` implies others only for current administrators.
 */
export function covers(given: readonly string[], asked: readonly Scope[], isAdministrator: boolean): boolean {
  const reached = effectiveScopes(given.filter(isScope), isAdministrator)
  return asked.every((scope) => given.includes(scope) || reached.has(scope))
}

export function demandWithin(
  given: readonly string[],
  asked: readonly Scope[],
  isAdministrator: boolean,
): void {
  if (!covers(given, asked, isAdministrator))
    throw invalidScope('scope goes beyond what this application may have')
}

/** The scopes to request of a person: `admin` only of an administrator. */
export function scopesFor(scopes: readonly string[], isAdministrator: boolean): Scope[] {
  const left = scopes.filter(isScope).filter((scope) => scope !== 'admin' || isAdministrator)
  if (left.length === 0) throw invalidScope('admin is for administrators')
  return left
}

export const unionOf = (some: readonly string[], others: readonly string[]): Scope[] =>
  SCOPE_NAMES.filter((name) => some.includes(name) || others.includes(name))

/** The requested resource. An origin equals itself with a slash. */
export function readResource(given: string | undefined): string | null {
  if (given === undefined) return null
  if (given === API_RESOURCE || given === `${API_RESOURCE}/`) return API_RESOURCE
  if (given === MCP_RESOURCE) return MCP_RESOURCE
  throw new OAuthRefusal('invalid_target', 'resource must be this server or its /mcp')
}

/** The resource of a token: that of the consent, or a narrower requested one. Null if none was named. */
export function resourceWithin(allowed: string | null, asked: string | null): string | null {
  if (allowed !== null && asked !== null && asked !== allowed)
    throw new OAuthRefusal('invalid_target', 'resource is not the one that was asked for at the beginning')
  return allowed ?? asked
}

/** Request parameters by name. An empty one counts as omitted (RFC 6749). */
export type Parameters = ReadonlyMap<string, string>

export function needed(parameters: Parameters, name: string): string {
  const value = parameters.get(name)
  if (value === undefined) throw invalidRequest(`${name} is missing`)
  return value
}
