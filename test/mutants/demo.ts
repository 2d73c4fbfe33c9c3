import type { Mutant } from './mutant'

const TESTS = ['test/demo/demo.test.ts']

export const mutants: Mutant[] = [
  {
    name: 'seeds-twice',
    file: 'src/demo/seed.ts',
    find: 'if ((await peopleOf(db, DEMO_DOMAIN)).length > 0) return',
    replace: '',
    means: 'The second start of the demo fails, or doubles everyone.',
    tests: TESTS,
  },
  {
    name: 'follows-not-counted',
    file: 'src/demo/seed.ts',
    find: 'await countFollows(tx)',
    replace: '',
    means: 'People of the demo have followers and none.',
    tests: TESTS,
  },
]
