import type { Mutant } from './mutant'

const DOCTOR = ['test/cli/doctor.test.ts']

export const mutants: Mutant[] = [
  {
    name: 'look-makes-key',
    file: 'src/cli/folkmoot.ts',
    find: '  if (!makesDatabase) createNoKey()\n',
    replace: '',
    means: 'Who only looks at a place leaves a key behind there.',
    tests: ['test/cli/commands.test.ts'],
  },
  {
    name: 'doctor-exit-code',
    file: 'src/cli/doctor/doctor.ts',
    find: '  isWell: ({ isWell }) => isWell,',
    replace: '',
    means: 'A timer that runs the doctor never tells anybody.',
    tests: DOCTOR,
  },
  {
    name: 'doctor-any-key',
    file: 'src/cli/doctor/database.ts',
    find: 'if (open === opened.length)',
    replace: 'if (open <= opened.length)',
    means: 'A database that was restored without its key seems well until webhooks are not signed.',
    tests: DOCTOR,
  },
  {
    name: 'doctor-evicting-redis',
    file: 'src/cli/doctor/redis.ts',
    find: "policy !== 'noeviction'",
    replace: "policy !== 'noeviction' && policy !== 'allkeys-lru'",
    means: 'Jobs are lost when Redis is full, and nobody was told.',
    tests: DOCTOR,
  },
  {
    name: 'token-beyond-the-role',
    file: 'src/modules/administration/users/operator/actions.ts',
    find: "{ ...caller, scopes: scopesOfRole(owner.role === 'admin') }",
    replace: 'caller',
    means: 'A token of a member says that it is an administrator’s, and is one as soon as they become one.',
    tests: ['test/cli/token.test.ts'],
  },
  {
    name: 'tags-overwrite',
    file: 'src/cli/tags.ts',
    find: "openSync(file, 'wx', 0o600)",
    replace: "openSync(file, 'w', 0o600)",
    means: 'The addresses of tags that were sent to a supplier are lost.',
    tests: ['test/cli/tags.test.ts'],
  },
  {
    name: 'retry-takes-all',
    file: 'src/outbox/dead-letters.ts',
    find: "where status = 'dead' and (${id}::uuid is null or fact_id = ${id}::uuid) limit",
    replace: "where status = 'dead' limit",
    means: 'Who lets one reaction be tried again lets all of them.',
    tests: ['test/cli/jobs.test.ts'],
  },
  {
    name: 'migrate-check-runs',
    file: 'src/cli/migrate.ts',
    find: 'isCheck ? await pending() : await withAddress(config, run)',
    replace: 'await withAddress(config, run)',
    means: 'Who only asks what an upgrade would do has done it.',
    tests: ['test/cli/migrate.test.ts'],
  },
]
