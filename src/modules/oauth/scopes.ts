import { effectiveScopes, isScope, SCOPE_NAMES, type Scope } from '@/core/scopes'
import { OAuthRefusal } from './refusal'

const LENGTH_MAX = 1000

const invalidScope = (description: string) => new OAuthRefusal('invalid_scope', description)

/** The scopes that a request names, each once and in the order of the registry. */
export function readScopes(given: string): Scope[] {
  const names = given.length > LENGTH_MAX ? [''] : given.split(' ').filter((name) => name !== '')
  if (!names.every(isScope)) throw invalidScope('scope must hold names from /v1/scopes, separated by spaces')
  if (names.length === 0) throw invalidScope('scope must name at least one scope')
  return SCOPE_NAMES.filter((name) => names.includes(name))
}

/**
 * Whether a set of scopes gives all that is asked for, by name or by implication. What `admin` implies is only for
 * those who are administrators now.
 */
export function covers(given: readonly string[], asked: readonly Scope[], isAdministrator: boolean): boolean {
  const reached = effectiveScopes(given.filter(isScope), isAdministrator)
  return asked.every((scope) => given.includes(scope) || reached.has(scope))
}

/** Refuses to go beyond what there is. */
export function demandWithin(
  given: readonly string[],
  asked: readonly Scope[],
  isAdministrator: boolean,
): void {
  if (!covers(given, asked, isAdministrator))
    throw invalidScope('scope goes beyond what this application may have')
}

/** `admin` is not for everyone: whoever is no administrator is asked for the rest. */
export function scopesFor(scopes: readonly string[], isAdministrator: boolean): Scope[] {
  const left = scopes.filter(isScope).filter((scope) => scope !== 'admin' || isAdministrator)
  if (left.length === 0) throw invalidScope('admin is for administrators')
  return left
}

/** Both together, in the order of the registry. */
export const unionOf = (some: readonly string[], others: readonly string[]): Scope[] =>
  SCOPE_NAMES.filter((name) => some.includes(name) || others.includes(name))
