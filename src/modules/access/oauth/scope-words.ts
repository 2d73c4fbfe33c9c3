import { effectiveScopes, isScope, type Scope } from '@/core/scopes'

/** The areas that scopes belong to, in the order of the consent page. */
const AREAS = ['You', 'Events', 'Groups', 'Passes and files', 'Behind the scenes'] as const

type Area = (typeof AREAS)[number]

/**
 * A scope in words for the person who is asked. Scopes that it implies are named with it, since they are not listed by
 * themselves.
 */
const WORDS: Record<Scope, { area: Area; words: string }> = {
  user: { area: 'You', words: 'See and change your profile and your settings, with your email address' },
  'read:user': { area: 'You', words: 'See your profile and your badges, and those of other members' },
  'user:email': { area: 'You', words: 'See your email address' },
  'user:linked-accounts': { area: 'You', words: 'See which accounts you sign in with' },
  'read:portfolio': { area: 'You', words: 'See your portfolio' },
  'write:portfolio': { area: 'You', words: 'See and change your portfolio' },
  'read:events': { area: 'Events', words: 'See events, and your place in them' },
  'write:events': { area: 'Events', words: 'See events, RSVP for you and check you in' },
  'manage:events': {
    area: 'Events',
    words: 'Create, change and cancel events of your groups, RSVP for you and check you in',
  },
  'manage:checkins': {
    area: 'Events',
    words: 'See who comes to events of your groups, and manage their check-in codes',
  },
  'read:groups': { area: 'Groups', words: 'See groups' },
  'read:favorites': { area: 'Groups', words: 'See your favorite groups' },
  'write:favorites': { area: 'Groups', words: 'See and change your favorite groups' },
  'manage:groups': { area: 'Groups', words: 'Change your groups and who helps to run them' },
  'manage:badges': { area: 'Groups', words: 'Create, award and take back badges of your groups' },
  'read:meetpass': { area: 'Passes and files', words: 'See your passes, and whom you met with them' },
  'write:meetpass': {
    area: 'Passes and files',
    words: 'See, change and release your passes, and see whom you met with them',
  },
  'read:uploads': { area: 'Passes and files', words: 'See your files' },
  'write:uploads': { area: 'Passes and files', words: 'See, add and delete your files' },
  developer: { area: 'Behind the scenes', words: 'Register applications and webhooks in your name' },
  admin: { area: 'Behind the scenes', words: 'Do everything here that you may do as an administrator' },
}

export const wordsFor = (scope: Scope): string => WORDS[scope].words

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
  AREAS.map((area) => ({ area, lines: scopes.filter((scope) => WORDS[scope].area === area) })).filter(
    (one) => one.lines.length > 0,
  )
