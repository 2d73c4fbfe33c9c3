import type { Mutant } from './mutant'

const TESTS = ['test/modules/access/scopes/scopes.test.ts', 'test/house/access.test.ts']
const file = 'src/core/scopes.ts'

export const mutants: Mutant[] = [
  {
    name: 'badges-bring-events',
    file,
    find: "'manage:badges': { description: 'Create, award and manage group badges', implies: ['read:groups'] }",
    replace:
      "'manage:badges': { description: 'Create, award and manage group badges', implies: ['read:groups', 'read:events'] }",
    means: 'An application may do what its consent page never said.',
    tests: TESTS,
  },
  {
    name: 'uploads-cannot-be-read',
    file,
    find: "implies: ['read:uploads'] }",
    replace: 'implies: [] }',
    means: 'An application cannot see what it uploaded.',
    tests: TESTS,
  },
  {
    name: 'developer-brings-user',
    file,
    find: "developer: { description: 'Register applications and webhooks', implies: [] }",
    replace: "developer: { description: 'Register applications and webhooks', implies: ['read:user'] }",
    means: 'An application may do what its consent page never said.',
    tests: TESTS,
  },
  {
    name: 'demoted-administrator-keeps-all',
    file,
    find: "if (reached.has(name) || (name === 'admin' && !isAdministrator)) return",
    replace: 'if (reached.has(name)) return',
    means: 'Whoever is no longer an administrator still is one by an old token.',
    tests: [...TESTS, 'test/auth/authentication.test.ts'],
  },
  {
    name: 'wrong-scope-of-rsvp',
    file: 'src/modules/gatherings/rsvps/actions.ts',
    find: `name: 'rsvpToEvent',
  access: 'write:events',`,
    replace: `name: 'rsvpToEvent',
  access: 'read:events',`,
    means: 'An application that may only read answers for people.',
    tests: TESTS,
  },
  {
    name: 'wrong-scope-of-export',
    file: 'src/modules/gatherings/checkins/attendees/actions.ts',
    find: `name: 'exportAttendees',
  access: 'manage:checkins',`,
    replace: `name: 'exportAttendees',
  access: 'manage:events',`,
    means: 'An application takes a guest list that nobody allowed it.',
    tests: TESTS,
  },
  {
    name: 'erasure-by-token',
    file: 'src/modules/account/me/actions.ts',
    find: `name: 'deleteProfile',
  access: 'session',`,
    replace: `name: 'deleteProfile',
  access: 'user',`,
    means: 'A leaked token deletes an account.',
    tests: TESTS,
  },
]
