import type { Mutant } from './mutant'

export const mutants: Mutant[] = [
  {
    name: 'secret-not-needed',
    file: 'src/modules/oauth/clients.ts',
    find: 'client?.secretHash ? isSame :',
    replace: 'client?.secretHash ? isSame || secret === undefined :',
    means: 'Whoever knows the id of a confidential application acts as it.',
    tests: ['test/modules/oauth/clients.test.ts', 'test/attacks/oauth-token.test.ts'],
  },
]
