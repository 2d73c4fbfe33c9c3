import { effectiveScopes, isScope, SCOPE_NAMES, type Scope } from '@/core/scopes'
import { OAuthRefusal } from './refusal'

const LENGTH_MAX = 1000

const invalidScope = (description: string) => new OAuthRefusal('invalid_scope', description)

/**
 * The scopes that a request names, each once and in the order of the registry. Agents ask every server for scopes of
 * their own, such as `offline_access`: those that are not ours are ignored (RFC 6749, 3.3), and the answer says which
 * were given. A request that names none of ours asks for the fallback, or for nothing.
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
 * Whether a set of scopes gives all that is asked for, by name or by implication. What `admin` implies is only for
 * those who are administrators now.
 */
export function covers(given: readonly string[], asked: readonly Scope[], isAdministrator: boolean): boolean {
  const reached = effectiveScopes(given.filter(isScope), isAdministrator)
  return asked.every((scope) => given.includes(scope) || reached.has(scope))
}

/** Refuses scopes beyond those that were given. */
export function demandWithin(
  given: readonly string[],
  asked: readonly Scope[],
  isAdministrator: boolean,
): void {
  if (!covers(given, asked, isAdministrator))
    throw invalidScope('scope goes beyond what this application may have')
}

/** The scopes to ask a person for: `admin` only of an administrator. */
export function scopesFor(scopes: readonly string[], isAdministrator: boolean): Scope[] {
  const left = scopes.filter(isScope).filter((scope) => scope !== 'admin' || isAdministrator)
  if (left.length === 0) throw invalidScope('admin is for administrators')
  return left
}

/** Both together, in the order of the registry. */
export const unionOf = (some: readonly string[], others: readonly string[]): Scope[] =>
  SCOPE_NAMES.filter((name) => some.includes(name) || others.includes(name))
