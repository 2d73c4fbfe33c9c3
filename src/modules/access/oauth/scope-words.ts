import { effectiveScopes, isScope, type Scope } from '@/core/scopes'
import type { Words } from '@/words/words'

type Area = keyof Words['access']['areas']

/** The areas that scopes belong to, in the order of the consent page. */
const AREAS: Record<Area, readonly Scope[]> = {
  you: ['user', 'read:user', 'user:email', 'user:linked-accounts', 'read:portfolio', 'write:portfolio'],
  events: ['read:events', 'write:events', 'manage:events', 'manage:checkins'],
  groups: ['read:groups', 'read:favorites', 'write:favorites', 'manage:groups', 'manage:badges'],
  passes: ['read:meetpass', 'write:meetpass', 'read:uploads', 'write:uploads'],
  behind: ['developer', 'admin'],
}

/**
 * Scopes without those that others among them imply. What `admin` implies stays: without `admin`, the rest can still be
 * chosen.
 */
export function linesOf(scopes: readonly string[]): Scope[] {
  const known = scopes.filter(isScope)
  return known.filter((scope) => bringerOf(scope, known) === undefined)
}

/** The scope among some that implies another, if any does. */
export const bringerOf = (scope: Scope, scopes: readonly Scope[]): Scope | undefined =>
  scopes.find((other) => other !== scope && effectiveScopes([other], false).has(scope))

/** Scopes area by area. */
export const areasOf = (scopes: readonly Scope[]): { area: Area; lines: Scope[] }[] =>
  (Object.keys(AREAS) as Area[])
    .map((area) => ({ area, lines: scopes.filter((scope) => AREAS[area].includes(scope)) }))
    .filter((one) => one.lines.length > 0)
