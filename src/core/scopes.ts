type Definition = { description: string; implies: readonly string[] }

/** `admin` implies every other scope; implication is transitive. */
const REGISTRY = {
  user: {
    description: 'Read and write profile information; includes read:user and user:email',
    implies: ['read:user', 'user:email'],
  },
  'read:user': { description: 'Read public profile data', implies: [] },
  'user:email': { description: 'Read the email address', implies: [] },
  'read:events': { description: 'Read events and event details', implies: [] },
  'write:events': { description: 'RSVP to events and check in', implies: ['read:events'] },
  'read:groups': { description: 'Read groups and group details', implies: [] },
  'read:favorites': { description: 'Read favorite groups', implies: [] },
  'write:favorites': { description: 'Manage favorite groups', implies: ['read:favorites'] },
  'read:portfolio': { description: 'Read portfolio items', implies: [] },
  'write:portfolio': { description: 'Manage portfolio items', implies: ['read:portfolio'] },
  'user:linked-accounts': { description: 'Read connected identity providers', implies: [] },
  'manage:groups': {
    description: 'Manage groups the user owns or co-manages',
    implies: ['read:groups'],
  },
  'manage:events': {
    description: "Create and manage events in the user's groups",
    implies: ['write:events'],
  },
  'manage:checkins': {
    description: 'Manage check-in codes and view attendees',
    implies: ['read:events'],
  },
  'manage:badges': { description: 'Create, award and manage group badges', implies: ['read:groups'] },
  'read:meetpass': { description: 'List passes and connections', implies: [] },
  'write:meetpass': {
    description: 'Update pass settings and release NFC passes',
    implies: ['read:meetpass'],
  },
  'read:uploads': { description: "List the caller's files and their storage use", implies: [] },
  'write:uploads': { description: "Manage the caller's files", implies: ['read:uploads'] },
  developer: { description: 'Register applications and webhooks', implies: [] },
  admin: { description: 'Full administrative access', implies: [] },
} as const satisfies Record<string, Definition>

export type Scope = keyof typeof REGISTRY

export const SCOPE_NAMES = Object.keys(REGISTRY) as Scope[]

/** The scopes that an agent should request first: without a hint, agents request all. They step up when a call needs more. */
export const AGENT_SCOPES: readonly Scope[] = ['read:user', 'read:events', 'read:groups']

/** What most people want of an agent beyond that. The consent page offers it, because many agents cannot step up. */
export const AGENT_EXTRAS: readonly Scope[] = ['write:events', 'write:favorites', 'read:meetpass']

const EVERYTHING: ReadonlySet<Scope> = new Set(SCOPE_NAMES)

export const isScope = (name: string): name is Scope => Object.hasOwn(REGISTRY, name)

export const describeScope = (name: Scope) => REGISTRY[name].description

/** The scopes that a scope implies directly, for display. */
export const impliedBy = (name: Scope): readonly Scope[] =>
  name === 'admin' ? SCOPE_NAMES.filter((other) => other !== 'admin') : REGISTRY[name].implies

/**
 * All scopes that the granted ones allow. `admin` counts only while its holder is an administrator: a demoted one keeps the other
 * scopes of the token.
 */
export function effectiveScopes(granted: Iterable<Scope>, isAdministrator: boolean): ReadonlySet<Scope> {
  const reached = new Set<Scope>()
  const visit = (name: Scope) => {
    if (reached.has(name) || (name === 'admin' && !isAdministrator)) return
    reached.add(name)
    for (const implied of impliedBy(name)) visit(implied)
  }
  for (const name of granted) visit(name)
  return reached
}

export const scopesOfRole = (isAdministrator: boolean): ReadonlySet<Scope> =>
  isAdministrator ? EVERYTHING : WITHOUT_ADMIN

const WITHOUT_ADMIN: ReadonlySet<Scope> = new Set(SCOPE_NAMES.filter((name) => name !== 'admin'))
