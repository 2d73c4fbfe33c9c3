import type { Mutant } from './mutant'

export const mutants: Mutant[] = [
  {
    name: 'secret-not-needed',
    file: 'src/modules/oauth/clients.ts',
    find: 'return client !== undefined && client.secretHash === null && secret === undefined',
    replace: 'return client !== undefined && secret === undefined',
    means: 'Whoever knows the id of a confidential application acts as it.',
    tests: ['test/modules/oauth/clients.test.ts', 'test/attacks/oauth-token.test.ts'],
  },
  {
    name: 'known-client-takes-longer',
    file: 'src/modules/oauth/clients.ts',
    find: 'const kept = client?.secretHash ?? NOBODY',
    replace: 'const kept = client?.secretHash ?? NOBODY\n  if (client) Bun.sleepSync(3)',
    means: 'Whoever measures learns which applications exist.',
    tests: ['test/attacks/oauth-token.test.ts'],
  },
]
