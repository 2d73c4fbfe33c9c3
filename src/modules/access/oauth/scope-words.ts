import { effectiveScopes, isScope, type Scope } from '@/core/scopes'
import type { Words } from '@/words/words'

type Area = keyof Words['access']['areas']

/** Scopes by area, in the order of the consent page. */
const AREAS: Record<Area, readonly Scope[]> = {
  you: ['user', 'read:user', 'user:email', 'user:linked-accounts', 'read:portfolio', 'write:portfolio'],
  events: ['read:events', 'write:events', 'manage:events', 'manage:checkins'],
  groups: ['read:groups', 'read:favorites', 'write:favorites', 'manage:groups', 'manage:badges'],
  passes: ['read:meetpass', 'write:meetpass', 'read:uploads', 'write:uploads'],
  behind: ['developer', 'admin'],
}

/** Drops scopes that others imply. Keeps what `admin` implies: it can be chosen without `admin`. */
export function linesOf(scopes: readonly string[]): Scope[] {
  const known = scopes.filter(isScope)
  return known.filter((scope) => implyingScope(scope, known) === undefined)
}

/** A scope that implies another one. */
export const implyingScope = (scope: Scope, scopes: readonly Scope[]): Scope | undefined =>
  scopes.find((other) => other !== scope && effectiveScopes([other], false).has(scope))

export const areasOf = (scopes: readonly Scope[]): { area: Area; lines: Scope[] }[] =>
  (Object.keys(AREAS) as Area[])
    .map((area) => ({ area, lines: scopes.filter((scope) => AREAS[area].includes(scope)) }))
    .filter((one) => one.lines.length > 0)
